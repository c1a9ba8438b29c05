import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/log.ts';
import { sql } from '../../src/db/statement.ts';
import { rowOf } from '../support/rows.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();

/** Runs two batches by a clock of a machine that differs from the database's by so much. Returns what was logged. */
async function batchAt(skew: number, accountId: number): Promise<string[]> {
  const logged: string[] = [];
  const [row] = await installation.app.db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const now = new Date((row?.now.getTime() ?? 0) + skew);
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  const batches = batchesOf({ ...installation.app, clock: { now: () => now, canBeWrong: true }, log });
  await batches.run(accountId);
  await batches.run(accountId);
  return logged.map((line) => JSON.parse(line).msg as string);
}

it('a daemon whose clock is wrong sends nothing, says why, and leaves the account to the others', async () => {
  const sender = await startSender(installation, sink);
  const before = await rowOf(installation.app, 'accounts', sender.accountId);
  expect(await batchAt(HOUR, sender.accountId)).toEqual([
    expect.stringMatching(/^the clock of this machine is 3\d{3} s ahead of the database's/),
  ]);
  expect(await batchAt(-HOUR, sender.accountId)).toEqual([
    expect.stringMatching(/^the clock of this machine is 3\d{3} s behind the database's/),
  ]);
  expect(await rowOf(installation.app, 'accounts', sender.accountId)).toEqual(before);
  expect(sink.messages).toEqual([]);
  await sender.batch();
  expect(sink.messages).toHaveLength(1);
  expect(await batchAt(4 * MINUTE, sender.accountId)).toEqual([]);
});
