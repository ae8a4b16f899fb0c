-- About 30 new articles wait before they enter the index of words, instead of about eight. search_rank and search_filter make the
-- planner use the index anyway.
DO $$
BEGIN
  FOR remainder IN 0..63 LOOP
    EXECUTE format('ALTER INDEX search_documents_%s_words_idx SET (gin_pending_list_limit = 512)', lpad(remainder::text, 2, '0'));
  END LOOP;
END
$$;
