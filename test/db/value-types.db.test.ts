import { expect, it } from 'vitest';
import { prepared, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';

const { app } = await testInstallation();
const { db } = app;

const ask = sql`select 9007199254740991::bigint as big, sum(n) as sum, max(n) as most, timestamptz '2026-07-07 12:00:00.123456+02' as instant,
    date '2026-07-07' as day, null::timestamptz as never, array[1, 2] as ids, jsonb_build_object('at', timestamptz '2026-07-07Z') as json
  from (values (1::bigint), (2)) v (n)`;

/** Tests run in the zone of Apia, where a day that is read as an instant is another day. */
const EXPECTED = {
  big: Number.MAX_SAFE_INTEGER,
  sum: 3,
  most: 2,
  instant: new Date('2026-07-07T10:00:00.123Z'),
  day: '2026-07-07',
  never: null,
  ids: [1, 2],
  json: { at: expect.stringMatching(/^2026-07-/) },
};

it.each([
  ['the pool for work', () => db.query(ask)],
  ['the pool for reads', () => db.forRequests().query(ask)],
  ['a prepared statement', () => db.query(prepared('types', ask))],
  ['a request whose characters are counted', () => db.forRequests({ workspaceId: 1, countCharacters: () => undefined }).query(ask)],
  ['a transaction', () => db.tx((tx) => tx.query(ask))],
  ['a bulk transaction', () => db.bulk((tx) => tx.query(ask))],
])('values have one type each: %s', async (_, rows) => {
  expect(await rows()).toEqual([EXPECTED]);
});

it('it is so on the first connection and on every further one', async () => {
  const slow = sql`select 1::bigint as one, pg_sleep(0.05)`;
  const answers = await Promise.all(Array.from({ length: 6 }, () => db.query(slow)));
  for (const [row] of answers) expect(row?.one).toBe(1);
});
