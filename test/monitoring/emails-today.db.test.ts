import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { readEmailsToday } from '../../src/monitoring/emails-today.ts';
import { readStatus } from '../../src/monitoring/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount } from '../support/rows.ts';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await testInstallation();
});

it('today’s emails of the limit: each account by its own local day and its ramp, without archived and deleted ones', async () => {
  const { app, clock } = installation;
  const account = async (fields: Record<string, unknown>, days: Record<string, number>) => {
    const id = await insertAccount(app, fields);
    for (const [day, accepted] of Object.entries(days))
      await app.db.query(sql`insert into account_days (account_id, day, accepted) values (${id}, ${day}, ${accepted})`);
    return id;
  };
  // It is Tuesday, 7 July, noon UTC; on Kiritimati it is 2 o'clock on Wednesday.
  await account({ timezone: 'UTC', daily_send_limit: 50 }, { '2026-07-06': 9, '2026-07-07': 3 });
  await account({ timezone: 'Pacific/Kiritimati', daily_send_limit: 30 }, { '2026-07-07': 20, '2026-07-08': 4 });
  await account(
    { daily_send_limit: 40, ramp_start: 5, ramp_increment: 2, ramp_started_on: '2026-07-05' },
    {
      ...{ '2026-07-05': 3, '2026-07-06': 4, '2026-07-07': 1 },
    },
  );
  await account({ status: 'paused', pause_reason: 'manual', daily_send_limit: 100 }, {});
  await account({ is_archived: true, daily_send_limit: 1_000 }, { '2026-07-07': 500 });
  expect(await readEmailsToday(app.db, clock.now())).toEqual({ sent: 8, limit: 50 + 30 + 9 + 100 });
  expect(await readStatus(app)).toMatchObject({
    accounts: 4,
    accounts_paused: 1,
    accounts_waiting: 0,
    emails_today: 8,
    emails_today_limit: 189,
  });
});
