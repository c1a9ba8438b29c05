import { describe, expect, it } from 'vitest';
import { getAccount } from '../../src/accounts/index.ts';
import { countBounce, pauseAccount, resumeAccount } from '../../src/campaigns/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { insertAccount } from '../support/rows.ts';
import { enrolmentsOf, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();

const contacts = (name: string, count: number) => Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.org` }));
const nobody = (name: string, ...indexes: number[]) => {
  for (const index of indexes) sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { to: `${name}-${index}@example.org` });
};
const account = (id: number) => getAccount(installation.app.db, installation.caller, id);

/** Creates an account with `mails` emails accepted `daysAgo` days ago. */
async function accountWith(mails: number, daysAgo = 0): Promise<number> {
  const id = await insertAccount(installation.app, { daily_send_limit: 1_000 });
  const day = new Date(installation.clock.now().getTime() - daysAgo * DAY).toISOString().slice(0, 10);
  await installation.app.db.query(sql`insert into account_days (account_id, day, accepted) values (${id}, ${day}, ${mails})`);
  return id;
}

async function bounce(accountId: number, times: number): Promise<boolean> {
  const { app } = installation;
  let isPaused = false;
  for (let index = 0; index < times; index++) isPaused = await app.db.tx((tx) => countBounce(tx, app, accountId, false));
  return isPaused;
}

describe('a bounce rate of 5% over at least 50 sends in 7 days', () => {
  it('pauses the account in the middle of its batch, and says why; what was not sent waits', async () => {
    const sender = await startSender(installation, sink, { contacts: contacts('a', 60) });
    nobody('a', 10, 20, 49);
    expect(await sender.batch()).toEqual({ sent: 47, other: 13 });
    expect(await account(sender.accountId)).toMatchObject({
      status: 'paused',
      pause_reason: 'provider_error',
      pause_message: expect.stringMatching(/^too many bounces: 3 of 50 emails in the last 7 days \(6\.0%, the limit is 5%\)/),
    });
    const waiting = (await enrolmentsOf(installation, sender.campaignId)).filter(({ status }) => status === 'active');
    expect(waiting).toHaveLength(10);
    expect(waiting.every(({ due_at }) => due_at !== null)).toBe(true);
  });

  it('starts from zero after a resume, which does not pause the account again at once', async () => {
    const { app, caller } = installation;
    const sender = await startSender(installation, sink, { contacts: contacts('b', 70) });
    nobody('b', 10, 20, 49, 55);
    await sender.batch();
    await resumeAccount(app, caller, sender.accountId);
    await app.db.query(sql`update accounts set last_batch_at = null where id = ${sender.accountId}`);
    expect(await sender.batch()).toEqual({ sent: 19, other: 1 });
    expect(await account(sender.accountId)).toMatchObject({ status: 'active' });
    expect(await bounce(sender.accountId, 3)).toBe(false);
  });

  it.each([
    ['49 mails are too few to judge by', 49, 0, 20, false],
    ['2 of 50 is less than 5%', 50, 0, 2, false],
    ['3 of 50 is more', 50, 0, 3, true],
    ['5 of 100 is exactly that', 100, 6, 5, true],
    ['mails of eight days ago do not count', 100, 7, 30, false],
  ])('%s', async (_name, mails, daysAgo, bounces, isPaused) => {
    const id = await accountWith(mails, daysAgo);
    expect(await bounce(id, bounces)).toBe(isPaused);
    expect((await account(id)).status).toBe(isPaused ? 'paused' : 'active');
  });

  it('leaves the reason of an account that is paused already', async () => {
    const { app, caller } = installation;
    const id = await accountWith(60);
    await pauseAccount(app, caller, id);
    expect(await bounce(id, 10)).toBe(false);
    expect(await account(id)).toMatchObject({ pause_reason: 'manual', pause_message: null });
  });

  it('is not forgiven by the end of a provider’s daily limit', async () => {
    const { app, caller } = installation;
    const id = await accountWith(60);
    await bounce(id, 2);
    await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'provider_limit' where id = ${id}`);
    await resumeAccount(app, caller, id);
    expect(await bounce(id, 1)).toBe(true);
  });
});
