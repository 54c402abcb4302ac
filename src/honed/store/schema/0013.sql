-- Schema 13: how many skills have a common word, kept instead of counted by every recall: a full text knows it
-- only by walking through all who have the word, which took half of a prompt hook at a hundred thousand skills.
ALTER TABLE index_scopes ADD COLUMN skills INTEGER NOT NULL DEFAULT 0;    -- rows of skill_index
ALTER TABLE index_scopes ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;   -- word_counts is of rows up to this n
ALTER TABLE index_scopes ADD COLUMN surveyed INTEGER NOT NULL DEFAULT 0;  -- skills when its words were chosen
UPDATE index_scopes SET skills = (SELECT count(*) FROM skill_index i WHERE i.scope = index_scopes.n);
-- In how many rows of skill_index up to `counted` each field has a word, of words that many skills have (see
-- store/counting.py, which chooses them, and counts new rows in and what changes below `counted` out and in).
CREATE TABLE word_counts (
  scope     INTEGER NOT NULL,        -- index_scopes.n
  word      TEXT NOT NULL,
  head      INTEGER NOT NULL,
  head_stem INTEGER NOT NULL,
  body_stem INTEGER NOT NULL,
  keys      INTEGER NOT NULL,
  uses      INTEGER NOT NULL,
  PRIMARY KEY (scope, word)
) WITHOUT ROWID;
CREATE TRIGGER scope_grows AFTER INSERT ON skill_index BEGIN
  UPDATE index_scopes SET skills = skills + 1 WHERE n = new.scope;
END;
CREATE TRIGGER scope_shrinks AFTER DELETE ON skill_index BEGIN
  UPDATE index_scopes SET skills = skills - 1 WHERE n = old.scope;
END;
