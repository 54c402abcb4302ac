-- Schema 5: calls of a model, counted before each is made (see store/calling.py).  No projections: they say
-- what was spent, not what is known.
CREATE TABLE model_calls (
  n      INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  ended  TEXT NOT NULL,            -- '' while it runs
  state  TEXT NOT NULL,            -- running | done | failed | refused | nested
  why    TEXT NOT NULL,
  tokens INTEGER NOT NULL          -- that count for the day; of a refused one 0
);
CREATE INDEX model_calls_at ON model_calls (at);
-- For which skills a model was asked: nobody pays twice for the same.
CREATE TABLE model_asked (
  skill TEXT PRIMARY KEY,
  at    TEXT NOT NULL
) WITHOUT ROWID;
