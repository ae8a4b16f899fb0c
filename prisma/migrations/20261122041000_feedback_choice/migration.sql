-- Beside a reader's own words, which of the offered reasons it was, so that they can be counted.
ALTER TABLE feedback ADD COLUMN choice text CHECK (choice IN ('missing', 'unclear', 'outdated', 'other'));
