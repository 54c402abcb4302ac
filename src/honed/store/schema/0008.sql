-- Schema 8: digests of the lines that a use wrote, by which the commit that holds them is found again.
ALTER TABLE uses ADD COLUMN lines TEXT NOT NULL DEFAULT '';
