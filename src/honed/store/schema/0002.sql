-- Schema 2: exact things are words of a full text of their own instead of rows, which cost a sixth of the
-- writing and half of the room.  The index is made anew afterwards (INDEX_VERSION changes with it).
--
-- Exact things of a skill (paths, symbols, commands, errors, phrases), each one word: "12_src/cart.py==path"
-- is scope, value and kind (see store/exact.py).  Nothing but these words is kept: whoever takes a skill out
-- says which it had, and skill_index.seal tells whether that is known.  Whoever writes the index writes
-- skill_index and skill_exact.
DROP TABLE skill_entities;
-- Builds between the two versions had it.
DROP TABLE IF EXISTS skill_exact;
CREATE VIRTUAL TABLE skill_exact USING fts5 (
  value, content = '', detail = 'none', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
CREATE VIRTUAL TABLE skill_entities USING fts5vocab (skill_exact, 'instance');
