-- Schema 9: vectors of what skills mean, where a model is set (honed.embedding).
--
-- No projections: losing them loses no decision, and `honed index embed` makes them again.  A vector belongs
-- to a row of the index and goes with it, in the same transaction, whatever the reason: an edit, an archive,
-- an erasure, a rebuild.
CREATE TABLE vector_models (
  n          INTEGER PRIMARY KEY,
  mark       TEXT NOT NULL UNIQUE,   -- name and digest of the model, version of the text that it was given
  dimensions INTEGER NOT NULL
);
CREATE TABLE skill_vectors (
  made   INTEGER PRIMARY KEY,        -- in the order of making: whoever has read up to here reads on from here
  n      INTEGER NOT NULL UNIQUE,    -- skill_index.n
  model  INTEGER NOT NULL,           -- vector_models.n
  text   BLOB NOT NULL,              -- digest of the text that was embedded (8 bytes)
  vector BLOB NOT NULL               -- one signed byte for each dimension
);
-- How often vectors went: whoever keeps them in memory then reads all of them again.
CREATE TABLE vectors_gone (
  n     INTEGER PRIMARY KEY,         -- 1, once any went
  times INTEGER NOT NULL
);
CREATE TRIGGER skill_vectors_leaving AFTER DELETE ON skill_index BEGIN
  DELETE FROM skill_vectors WHERE n = old.n;
END;
CREATE TRIGGER skill_vectors_outdated AFTER UPDATE ON skill_index BEGIN
  DELETE FROM skill_vectors WHERE n = old.n;
END;
CREATE TRIGGER skill_vectors_gone AFTER DELETE ON skill_vectors BEGIN
  INSERT INTO vectors_gone VALUES (1, 1) ON CONFLICT (n) DO UPDATE SET times = times + 1;
END;
