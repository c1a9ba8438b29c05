import { expect, it } from 'vitest';
import { getAccountDetails, setAccount } from '../../src/accounts/index.ts';
import { minuteLimitOf } from '../../src/accounts/providers.ts';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign, forecastCampaign } from '../../src/sending/index.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();

const contacts = (count: number) => Array.from({ length: count }, () => ({}));

it('spreads the emails of a batch evenly, so that no minute has more than the limit', async () => {
  // 1,200 a minute are 50 milliseconds apart.
  const sender = await startSender(installation, sink, { account: { minute_send_limit: 1_200 }, contacts: contacts(4) });
  const start = performance.now();
  expect(await sender.batch()).toEqual({ sent: 4, other: 0 });
  expect(performance.now() - start).toBeGreaterThan(3 * 50);
});

it('counts copies, as providers do (D2.7)', async () => {
  const campaign = { cc: ['boss@partner.example'], bcc: ['crm@inbox.example'] };
  const sender = await startSender(installation, sink, { account: { minute_send_limit: 1_200 }, campaign, contacts: contacts(2) });
  const start = performance.now();
  expect(await sender.batch()).toEqual({ sent: 2, other: 0 });
  expect(performance.now() - start).toBeGreaterThan(5 * 50);
  expect(sink.messages).toHaveLength(6);
});

it('keeps the distance to a refused email too, and to the batch before', async () => {
  const { app, clock } = installation;
  const account = { minute_send_limit: 1_200, send_batch_min: 2, send_batch_max: 2, send_batch_interval_minutes: 1 };
  const sender = await startSender(installation, sink, { account, contacts: contacts(4) });
  sink.misbehave('rcpt', { code: 450, text: '4.2.0 Greylisted' }, { times: 1 });
  const first = performance.now();
  expect(await sender.batch()).toEqual({ sent: 1, other: 1 });
  expect(performance.now() - first).toBeGreaterThan(50);
  // As if the previous batch had begun a minute ago and lasted until now.
  await app.db.query(sql`update accounts set minute_send_limit = 1 where id = ${sender.accountId}`);
  clock.advance(MINUTE);
  const abort = AbortSignal.timeout(50);
  expect(await batchesOf(app).run(sender.accountId, abort)).toEqual({ sent: 0, other: 0 });
});

it('is planned for by the forecast and named by explain', async () => {
  const { app, caller, clock } = installation;
  const sender = await startSender(installation, sink, { account: { minute_send_limit: 30 }, contacts: contacts(100) });
  const times = (await forecastCampaign(app, caller, sender.campaignId, 100)).map(({ send_at }) => Date.parse(`${send_at}Z`));
  expect(times.map((at) => (at - clock.now().getTime()) / SECOND)).toEqual(Array.from({ length: 100 }, (_, index) => 2 * index));
  // A batch of 100 emails has been running for half a minute.
  await app.db.query(sql`update accounts set last_batch_at = ${clock.now()} where id = ${sender.accountId} returning email`);
  clock.advance(30 * SECOND);
  const { reasons } = await explainCampaign(app, caller, sender.campaignId);
  expect(reasons).toEqual([
    expect.stringMatching(/^sender-\d+@example\.com sends at most 30 emails a minute; its batch may last until 2026-07-07 12:03 UTC\.$/),
  ]);
});

it('has the figure of the provider for a new account, and can be changed and removed', async () => {
  const { app, caller } = installation;
  expect(minuteLimitOf({ host: 'smtp.office365.com' })).toBe(30);
  expect(minuteLimitOf({ host: 'smtp.gmail.com' })).toBeNull();
  const { accountId } = await startSender(installation, sink);
  const limit = async () => (await getAccountDetails(app.db, caller, accountId)).minute_send_limit;
  expect(await limit()).toBeNull();
  await setAccount(app, caller, accountId, { minute_send_limit: 20 });
  expect(await limit()).toBe(20);
  await expect(setAccount(app, caller, accountId, { minute_send_limit: 0 })).rejects.toThrow(
    /^minute_send_limit: must be a whole number from 1/,
  );
  await setAccount(app, caller, accountId, { minute_send_limit: null });
  expect(await limit()).toBeNull();
});
