-- Schema 6: past uses.  The requests under which a skill was applied and verified are kept with it, and
-- their words are a field of the index of their own.  The index is made anew afterwards.
ALTER TABLE skills ADD COLUMN uses TEXT NOT NULL DEFAULT '[]';      -- canonical JSON, the newest first
-- Stems of each use without stop words, "|" between two uses.
ALTER TABLE skill_index ADD COLUMN uses TEXT NOT NULL DEFAULT '';
DROP TRIGGER skill_index_added;
DROP TRIGGER skill_index_leaving;
DROP TRIGGER skill_index_changing;
DROP TRIGGER skill_index_changed;
DROP TABLE skill_vocab;
DROP TABLE skill_fts;
DROP VIEW skill_words;
CREATE VIEW skill_words AS SELECT n,
  scope || '_' || replace(head, ' ', ' ' || scope || '_') AS head,
  scope || '_' || replace(head_stem, ' ', ' ' || scope || '_') AS head_stem,
  scope || '_' || replace(body_stem, ' ', ' ' || scope || '_') AS body_stem,
  scope || '_' || replace(keys, ' ', ' ' || scope || '_') AS keys,
  scope || '_' || replace(replace(uses, ' | ', ' '), ' ', ' ' || scope || '_') AS uses
FROM skill_index;
CREATE VIRTUAL TABLE skill_fts USING fts5 (
  head, head_stem, body_stem, keys, uses,
  content = 'skill_words', content_rowid = 'n', detail = 'column',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
CREATE VIRTUAL TABLE skill_vocab USING fts5vocab (skill_fts, 'col');
INSERT INTO skill_fts (skill_fts) VALUES ('rebuild');
CREATE TRIGGER skill_index_added AFTER INSERT ON skill_index BEGIN
  INSERT INTO skill_fts (rowid, head, head_stem, body_stem, keys, uses)
    SELECT n, head, head_stem, body_stem, keys, uses FROM skill_words WHERE n = new.n;
END;
CREATE TRIGGER skill_index_leaving BEFORE DELETE ON skill_index BEGIN
  INSERT INTO skill_fts (skill_fts, rowid, head, head_stem, body_stem, keys, uses)
    SELECT 'delete', n, head, head_stem, body_stem, keys, uses FROM skill_words WHERE n = old.n;
END;
CREATE TRIGGER skill_index_changing BEFORE UPDATE ON skill_index BEGIN
  INSERT INTO skill_fts (skill_fts, rowid, head, head_stem, body_stem, keys, uses)
    SELECT 'delete', n, head, head_stem, body_stem, keys, uses FROM skill_words WHERE n = old.n;
END;
CREATE TRIGGER skill_index_changed AFTER UPDATE ON skill_index BEGIN
  INSERT INTO skill_fts (rowid, head, head_stem, body_stem, keys, uses)
    SELECT n, head, head_stem, body_stem, keys, uses FROM skill_words WHERE n = new.n;
END;
