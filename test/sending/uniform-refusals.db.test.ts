import { expect, it } from 'vitest';
import { resumeAccount } from '../../src/campaigns/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { rowOf } from '../support/rows.ts';
import { enrolmentsOf, type Sender, sendingInstallation, startSender } from '../support/sender.ts';

/**
 * "Three recipients in a row refused in the same words by a submission server that has accepted none of the batch pauses the account, puts the
 * contacts back and says so, whatever the words; what it undid is undone whole."
 */
const { installation, sink } = await sendingInstallation();

const people = (name: string, count: number) => Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.org` }));
const query = <Row>(statement: ReturnType<typeof sql>) => installation.app.db.query<Row>(statement);
const account = ({ accountId }: Sender) =>
  rowOf<{ status: string; pause_reason: string; pause_message: string; refused_in_row: unknown }>(installation.app, 'accounts', accountId);
const events = ({ campaignId }: Sender) => query(sql`select type from events where campaign_id = ${campaignId} and type <> 'enrolled'`);
const suppressed = (name: string) => query(sql`select email from suppressions where email like ${`${name}-%`} and removed_at is null`);

it.each([
  ['rcpt', '550', 'Requested action not taken: mailbox unavailable'],
  ['rcpt', '550', '5.1.1 User unknown'],
  ['data', '554', '5.7.1 Message rejected as spam'],
] as const)('at %s: %s %s', async (phase, code, text) => {
  const name = `uniform-${phase}-${code}-${text.length}`;
  sink.misbehave(phase, { code: Number(code), text });
  const sender = await startSender(installation, sink, { contacts: people(name, 10) });
  await sender.batch();
  sink.behave();
  expect(await account(sender)).toMatchObject({ status: 'paused', pause_reason: 'provider_error', refused_in_row: null });
  expect((await account(sender)).pause_message).toContain(`refused 3 recipients in a row in the same words and accepted none`);
  expect((await account(sender)).pause_message).toContain(text);
  const all = await enrolmentsOf(installation, sender.campaignId);
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'active'));
  expect(await events(sender)).toEqual([]);
  expect(await suppressed(name)).toEqual([]);
  const [days] = await query(sql`select sum(bounced)::int as bounced, sum(refused)::int as refused, sum(accepted)::int as accepted
    from account_days where account_id = ${sender.accountId}`);
  expect(days).toEqual({ bounced: 0, refused: 0, accepted: 0 });
  // Resumed, the account sends to all of them.
  await resumeAccount(installation.app, installation.caller, sender.accountId);
  installation.clock.advance(11 * MINUTE);
  await sender.batch();
  expect(sink.messages.filter(({ to }) => to[0]?.startsWith(`${name}-`))).toHaveLength(10);
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
