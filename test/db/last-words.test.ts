import { expect, it } from 'vitest';
import { lastWords } from '../../src/db/embedded/last-words.ts';

// What initdb of PostgreSQL 18 prints on a full disk: its last line is no reason.
const FULL_DISK = `2026-11-29 17:50:09.399 UTC [18710] FATAL:  could not write to file "base/4/1249": No space left on device
2026-11-29 17:50:09.399 UTC [18710] STATEMENT:  CREATE DATABASE template0 IS_TEMPLATE = true;

child process exited with exit code 1
initdb: removing contents of data directory "/srv/postgres.partial"
`;

it.each([
  [FULL_DISK, 'could not write to file "base/4/1249": No space left on device'],
  ['initdb: error: could not access directory "/srv": Permission denied\ninitdb: removing data directory "/srv"\n', /^could not access/],
  ['initdb: removing contents of data directory "/srv/postgres.partial"\n', 'initdb was interrupted; run the command again'],
  ['pg_ctl: could not start server\nExamine the log output.\n', undefined],
])('an error of PostgreSQL says why: %j', (said, words) => {
  if (words instanceof RegExp) expect(lastWords(said)).toMatch(words);
  else expect(lastWords(said)).toBe(words);
});
