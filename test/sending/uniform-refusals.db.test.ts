import { expect, it } from 'vitest';
import { enrol, resumeAccount } from '../../src/campaigns/index.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { insertContact, rowOf } from '../support/rows.ts';
import { runs } from '../support/runs.ts';
import { enrolmentsOf, type Sender, sendingInstallation, startSender } from '../support/sender.ts';
import type { Misbehaviour, SinkPhase } from '../support/smtp-sink.ts';

/**
 * "Three recipients in a row refused in the same words by a submission server that has accepted none of the batch pauses the account, puts
 * the contacts back and says so, whatever the words; what it undid is undone whole."
 */
const { installation, sink } = await sendingInstallation();

const people = (name: string, count: number) => Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.org` }));
const query = <Row>(statement: ReturnType<typeof sql>) => installation.app.db.query<Row>(statement);
const account = ({ accountId }: Sender) =>
  rowOf<{ status: string; pause_reason: string; pause_message: string; refused_in_row: unknown }>(installation.app, 'accounts', accountId);
const events = ({ campaignId }: Sender) => query(sql`select type from events where campaign_id = ${campaignId} and type <> 'enrolled'`);
const suppressed = (name: string) => query(sql`select email from suppressions where email like ${`${name}-%`} and removed_at is null`);

/** Lets 24 hours pass with a batch every `everyHours`, but none at night, when the account's window is closed. */
async function batchesOfDay({ batch }: Sender, everyHours: number): Promise<void> {
  for (let hour = 0; hour < 24; hour += everyHours) {
    const now = installation.clock.now().getUTCHours();
    if (now >= 8 && now < 18) await batch();
    installation.clock.advance(everyHours * HOUR);
  }
}

it.each([
  ['rcpt', '550', 'Requested action not taken: mailbox unavailable'],
  ['rcpt', '550', '5.1.1 User unknown'],
  ['data', '554', '5.7.1 Message rejected as spam'],
  ['rcpt', '550', 'Requested action not taken: mailbox unavailable. Failure sending mail. Try again later.'],
  ['data', '552', '5.2.2 Mailbox full'],
] as const)('at %s: %s %s', async (phase, code, text) => {
  const name = `uniform-${phase}-${code}-${text.length}`;
  sink.misbehave(phase, { code: Number(code), text });
  const sender = await startSender(installation, sink, { contacts: people(name, 10) });
  await sender.batch();
  sink.behave();
  expect(await account(sender)).toMatchObject({ status: 'paused', pause_reason: 'provider_error', refused_in_row: null });
  expect((await account(sender)).pause_message).toContain(`refused 3 recipients in a row with the same words and accepted none`);
  expect((await account(sender)).pause_message).toContain(text);
  const all = await enrolmentsOf(installation, sender.campaignId);
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'active'));
  expect(await events(sender)).toEqual([]);
  expect(await suppressed(name)).toEqual([]);
  const [days] = await query(sql`select sum(bounced)::int as bounced, sum(refused)::int as refused, sum(accepted)::int as accepted
    from account_days where account_id = ${sender.accountId}`);
  expect(days).toEqual({ bounced: 0, refused: 0, accepted: 0 });
  // After it is resumed, the account sends to all of them.
  await resumeAccount(installation.app, installation.caller, sender.accountId);
  installation.clock.advance(11 * MINUTE);
  await sender.batch();
  expect(sink.messages.filter(({ to }) => to[0]?.startsWith(`${name}-`))).toHaveLength(10);
});

/** Number of days of an outage, and number of days on which new contacts are enrolled while others are deferred. */
const [OUTAGE_DAYS, NEW_DAYS] = [runs(3, 10), runs(10, 14)];

/** "A refusal about us never touches a contact"; C1.7: "tried again with growing pauses and never end in a state that needs a person". */
it.each<[SinkPhase, Misbehaviour]>([
  ['rcpt', { code: 451, text: '4.3.0 Temporary lookup failure' }],
  ['data', { code: 452, text: '4.3.1 Insufficient system storage' }],
  ['rcpt', { code: 421, text: '4.3.2 Service not available, closing transmission channel' }],
  ['mail', 'close'],
  ['data', 'close'],
])(`an outage of ${OUTAGE_DAYS} days at %s is waited for: %j`, async (phase, how) => {
  const sender = await startSender(installation, sink, {
    contacts: people(`outage-${phase}-${typeof how === 'string' ? how : how.code}`, 4),
  });
  sink.misbehave(phase, how);
  for (let day = 0; day < OUTAGE_DAYS; day++) await batchesOfDay(sender, 3);
  await sender.batch();
  const { reasons: told } = await explainCampaign(installation.app, installation.caller, sender.campaignId);
  expect(told).toEqual([expect.stringMatching(/connections? in a row to its mail server failed: /)]);
  sink.behave();
  expect(await events(sender)).toEqual([]);
  // Over a weekend.
  for (let day = 0; day < 4; day++) await batchesOfDay(sender, 3);
  expect(await account(sender)).toMatchObject({ status: 'active', refused_in_row: null });
  expect(sink.messages).toHaveLength(4);
});

it('and takes back the third refusal of a contact, which had stopped it', async () => {
  sink.misbehave('data', { code: 554, text: '5.7.1 Message rejected as spam' });
  const sender = await startSender(installation, sink, { contacts: people('third', 3) });
  await installation.app.db.query(sql`update enrolments set failures = 2 where campaign_id = ${sender.campaignId}`);
  await sender.batch();
  expect(await account(sender)).toMatchObject({ status: 'paused' });
  expect((await enrolmentsOf(installation, sender.campaignId)).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
  expect(await events(sender)).toEqual([]);
});

it('a connection that the server closes by 421 after refusals is opened again for the next email', async () => {
  sink.misbehave('data', { code: 554, text: '5.7.1 Message rejected as spam' });
  const contacts = people('closing', 3);
  sink.misbehave('rcpt', { code: 421, text: '4.7.0 Too many messages in this connection' }, { to: contacts[2]?.email ?? '', times: 1 });
  const sender = await startSender(installation, sink, { contacts });
  await sender.batch();
  expect((await account(sender)).pause_message).toContain('5.7.1 Message rejected as spam');
});

it('a server that cuts the connection after the message leaves the delivery of one email unknown, not of a whole batch', async () => {
  sink.misbehave('data', 'lose');
  const sender = await startSender(installation, sink, { contacts: people('cut-after', 10) });
  expect(await sender.batch()).toMatchObject({ sent: 0 });
  expect(
    await query(sql`select count(*)::int as emails from outbox where campaign_id = ${sender.campaignId} and state = 'uncertain'`),
  ).toEqual([{ emails: 1 }]);
  const { reasons } = await explainCampaign(installation.app, installation.caller, sender.campaignId);
  expect(reasons).toContainEqual(expect.stringContaining('1 connection in a row to its mail server failed'));
});

it('not where the server has accepted an email of the batch, nor for different words', async () => {
  const contacts = people('mixed', 6);
  for (const { email } of contacts.slice(1)) sink.misbehave('rcpt', { code: 550, text: '5.1.1 User unknown' }, { to: email });
  const sender = await startSender(installation, sink, { contacts });
  await sender.batch();
  sink.behave();
  expect(await account(sender)).toMatchObject({ status: 'active' });
  expect((await enrolmentsOf(installation, sender.campaignId)).filter(({ status }) => status === 'bounced')).toHaveLength(5);
});

it.each([
  ['every hour, and they are given up', 1, ['bounced']],
  ['every other hour, so rarely that they have tries left', 2, ['active']],
] as const)('a server that defers some follow-ups forever keeps nobody else waiting: with an email %s', async (_, step, inTheEnd) => {
  sink.behave();
  const account = { send_batch_min: 1, send_batch_max: 1 };
  const sender = await startSender(installation, sink, { account, contacts: people(`dead${step}`, 3), steps: [{}, { wait_days: 1 }] });
  for (let emails = 0; emails < 3; emails++) {
    await sender.batch();
    installation.clock.advance(step * HOUR);
  }
  expect(sink.messages).toHaveLength(3);
  for (const { email } of people(`dead${step}`, 3))
    sink.misbehave('rcpt', { code: 451, text: '4.1.8 could not complete the callout' }, { to: email });
  installation.clock.advance(20 * HOUR);
  for (const values of people(`alive${step}`, NEW_DAYS)) {
    const contact = await insertContact(installation.app, values);
    await enrol(installation.app, installation.caller, sender.campaignId, { contact_ids: [contact] });
    await batchesOfDay(sender, step);
  }
  for (let day = 0; day < 3; day++) await batchesOfDay(sender, step);
  const reached = new Set(sink.messages.map(({ to }) => to[0]).filter((to) => to?.startsWith(`alive${step}`)));
  expect(reached.size).toBe(NEW_DAYS);
  const dead = (await enrolmentsOf(installation, sender.campaignId)).slice(0, 3);
  expect([...new Set(dead.map(({ status }) => status))]).toEqual(inTheEnd);
});
