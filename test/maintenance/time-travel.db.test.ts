import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { resumeAccount } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { pauseRecovered } from '../../src/maintenance/pause-sending.ts';
import { TimeTravelWatch } from '../../src/maintenance/time-travel.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertMail } from '../support/rows.ts';

const installation = await testInstallation();
const { app, caller } = installation;
const mark = join(installation.dataDir, 'last-email.json');
const accountId = await insertAccount(app);
const campaignId = await insertCampaign(app, { account_id: accountId });
const states = () =>
  app.db.query(sql`
    select a.status as account, c.status as campaign from accounts a join campaigns c on c.account_id = a.id where a.id = ${accountId}`);
const ACTIVE = [{ account: 'active', campaign: 'active' }];
const PAUSED = [{ account: 'paused', campaign: 'paused' }];

const sendEmails = async (count: number) => {
  for (let index = 0; index < count; index++) await insertMail(app, await insertEnrolment(app, campaignId));
};
/** What a dump of that moment brings back: fewer emails, and the sequence as it was. */
async function goBack(emails: number): Promise<void> {
  const [last] = await app.db.query<{ id: number }>(sql`select id from outbox order by id desc limit 1 offset ${emails}`);
  await app.db.query(sql`delete from outbox where id > ${last?.id}`);
  await app.db.query(sql`select setval('outbox_id_seq', ${last?.id})`);
}

beforeEach(async () => {
  await app.db.query(sql`update accounts set status = 'active', pause_reason = null`);
  await app.db.query(sql`update campaigns set status = 'active'`);
  await sendEmails(5);
  await new TimeTravelWatch(app).check();
});

// "pg_dump at 201 sent; 150 more go out; drop, pg_restore, outreach start: 151 of 350 recipients got the same email again."
it('a database that went back in time is noticed at the next start: everything is paused, once', async () => {
  await goBack(3);
  await new TimeTravelWatch(app).check();
  expect(await states()).toEqual(PAUSED);
  await resumeAccount(app, caller, accountId);
  await new TimeTravelWatch(app).check();
  expect(await states()).toEqual(ACTIVE);
});

it('it is noticed by a daemon that goes on running, and a second daemon does not pause again what a person has resumed', async () => {
  const daemons = [new TimeTravelWatch(app), new TimeTravelWatch(app)];
  for (const daemon of daemons) await daemon.check();
  await goBack(2);
  await daemons[0]?.check();
  expect(await states()).toEqual(PAUSED);
  await resumeAccount(app, caller, accountId);
  await daemons[1]?.check();
  expect(await states()).toEqual(ACTIVE);
});

it('a database that went on, an erased email and a recovery that was announced pause nothing more', async () => {
  await sendEmails(2);
  await app.db.query(sql`delete from outbox where id = (select max(id) from outbox)`);
  await new TimeTravelWatch(app).check();
  expect(await states()).toEqual(ACTIVE);
  await goBack(2);
  await pauseRecovered(app, caller);
  await resumeAccount(app, caller, accountId);
  await new TimeTravelWatch(app).check();
  expect(await states()).toEqual(ACTIVE);
});

it('a mark that can not be read is written anew', async () => {
  writeFileSync(mark, 'half a docu');
  await new TimeTravelWatch(app).check();
  expect(JSON.parse(readFileSync(mark, 'utf8'))).toEqual({ history: expect.any(String), email: expect.any(Number) });
  expect(await states()).toEqual(ACTIVE);
});

it('a mark that cannot be read is told: the safeguard is off until the next email', async () => {
  writeFileSync(mark, 'not JSON');
  const warn = vi.fn();
  await new TimeTravelWatch({ ...app, log: { ...app.log, warn } as unknown as typeof app.log }).check();
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ path: mark }), expect.stringContaining('gone back in time'));
  rmSync(mark);
  warn.mockClear();
  await new TimeTravelWatch({ ...app, log: { ...app.log, warn } as unknown as typeof app.log }).check();
  expect(warn).not.toHaveBeenCalled();
});
