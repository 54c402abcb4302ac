-- Schema 13: how many skills have a common word, kept instead of counted by every recall: a full text knows it
-- only by walking through all who have the word, which took half of a prompt hook at a hundred thousand skills.
ALTER TABLE index_scopes ADD COLUMN skills INTEGER NOT NULL DEFAULT 0;    -- rows of skill_index
ALTER TABLE index_scopes ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;   -- word_counts is of rows up to this n
ALTER TABLE index_scopes ADD COLUMN surveyed INTEGER NOT NULL DEFAULT 0;  -- skills when its words were chosen
UPDATE index_scopes SET skills = (SELECT count(*) FROM skill_index i WHERE i.scope = index_scopes.n);
-- In how many rows of skill_index up to `counted` each field has a word, of words that many skills have (see
-- store/counting.py, which chooses them and counts new rows in).  What changes below `counted` is counted here.
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
CREATE TRIGGER scope_changes AFTER UPDATE OF scope ON skill_index BEGIN
  UPDATE index_scopes SET skills = skills - 1 WHERE n = old.scope;
  UPDATE index_scopes SET skills = skills + 1 WHERE n = new.scope;
END;
CREATE TRIGGER words_enter AFTER INSERT ON skill_index
WHEN new.n <= (SELECT counted FROM index_scopes WHERE n = new.scope) BEGIN
  UPDATE word_counts SET head = head + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.head), ' ', '","') || ']'));
  UPDATE word_counts SET head_stem = head_stem + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.head_stem), ' ', '","') || ']'));
  UPDATE word_counts SET body_stem = body_stem + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.body_stem), ' ', '","') || ']'));
  UPDATE word_counts SET keys = keys + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.keys), ' ', '","') || ']'));
  UPDATE word_counts SET uses = uses + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.uses), ' ', '","') || ']'));
END;
CREATE TRIGGER words_leave AFTER DELETE ON skill_index
WHEN old.n <= (SELECT counted FROM index_scopes WHERE n = old.scope) BEGIN
  UPDATE word_counts SET head = head - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.head), ' ', '","') || ']'));
  UPDATE word_counts SET head_stem = head_stem - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.head_stem), ' ', '","') || ']'));
  UPDATE word_counts SET body_stem = body_stem - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.body_stem), ' ', '","') || ']'));
  UPDATE word_counts SET keys = keys - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.keys), ' ', '","') || ']'));
  UPDATE word_counts SET uses = uses - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.uses), ' ', '","') || ']'));
  DELETE FROM word_counts WHERE scope = old.scope AND head + head_stem + body_stem + keys + uses = 0;
END;
CREATE TRIGGER words_leave_a_change AFTER UPDATE ON skill_index
WHEN old.n <= (SELECT counted FROM index_scopes WHERE n = old.scope) BEGIN
  UPDATE word_counts SET head = head - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.head), ' ', '","') || ']'));
  UPDATE word_counts SET head_stem = head_stem - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.head_stem), ' ', '","') || ']'));
  UPDATE word_counts SET body_stem = body_stem - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.body_stem), ' ', '","') || ']'));
  UPDATE word_counts SET keys = keys - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.keys), ' ', '","') || ']'));
  UPDATE word_counts SET uses = uses - 1 WHERE scope = old.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(old.uses), ' ', '","') || ']'));
  DELETE FROM word_counts WHERE scope = old.scope AND head + head_stem + body_stem + keys + uses = 0;
END;
CREATE TRIGGER words_enter_a_change AFTER UPDATE ON skill_index
WHEN new.n <= (SELECT counted FROM index_scopes WHERE n = new.scope) BEGIN
  UPDATE word_counts SET head = head + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.head), ' ', '","') || ']'));
  UPDATE word_counts SET head_stem = head_stem + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.head_stem), ' ', '","') || ']'));
  UPDATE word_counts SET body_stem = body_stem + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.body_stem), ' ', '","') || ']'));
  UPDATE word_counts SET keys = keys + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.keys), ' ', '","') || ']'));
  UPDATE word_counts SET uses = uses + 1 WHERE scope = new.scope AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(new.uses), ' ', '","') || ']'));
END;
