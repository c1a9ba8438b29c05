import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { enrol } from '../../src/campaigns/index.ts';
import { DAY, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { arrive, mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

/** A request that the grammar is not sure of. */
const MAY_ASK = 'How do I get off your mailing list?';
const ZOE = 'zoe@example.com';
let installation: Awaited<ReturnType<typeof servedInstallation>>;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await servedInstallation({ webhooksAllowPrivate: true });
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(installation.app, server.port, ZOE);
});

const query = <Row>(statement: Parameters<typeof installation.app.db.query>[0]) => installation.app.db.query<Row>(statement);

async function receive(raw: string): Promise<void> {
  installation.clock.advance(600 * SECOND);
  await arrive(server, ZOE, raw);
  await new MailboxPoller(installation.app).poll(zoe);
}

/** A contact in two campaigns, who answers in the first. */
async function answered(
  text = MAY_ASK,
  enrolment: Record<string, unknown> = {},
): Promise<{ first: SentMail; second: SentMail; id: number }> {
  const first = await sentMail(installation, zoe);
  const second = await sentMail(installation, zoe, { contactId: first.contactId, recipient: first.recipient, enrolment });
  await receive(reply(first, {}, text));
  const [row] = await query<{ id: number }>(sql`select id from replies where enrolment_id = ${first.enrolmentId}`);
  return { first, second, id: row?.id ?? 0 };
}

const enrolmentOf = async ({ enrolmentId }: SentMail) =>
  (
    await query(sql`select status, stop_reason, due_at, held_until, hold_reason, current_step from enrolments where id = ${enrolmentId}`)
  )[0];
const suppressed = ({ recipient }: SentMail) =>
  query(sql`select reason from suppressions where email = ${recipient} and removed_at is null`);

describe('a reply that may ask to be removed: nothing is suppressed by a guess, and nobody is emailed before a person has decided', () => {
  it('ends its sequence as every answer does, and holds the contact in all others', async () => {
    const { first, second, id } = await answered();
    expect(await enrolmentOf(first)).toMatchObject({ status: 'replied' });
    expect(await enrolmentOf(second)).toMatchObject({ status: 'active', hold_reason: 'may_ask_to_be_removed' });
    expect(await suppressed(first)).toEqual([]);
    const { body } = await installation.api.get(`/replies/${id}`);
    expect(body).toMatchObject({ kind: 'reply', may_ask_to_be_removed: true });
  });

  it('holds the contact in campaigns that enrol them afterwards', async () => {
    const { first } = await answered();
    const campaignId = await insertCampaign(installation.app, { account_id: zoe });
    await enrol(installation.app, operator(1), campaignId, { contact_ids: [first.contactId] });
    const [enrolment] = await query(sql`select status, hold_reason from enrolments where campaign_id = ${campaignId}`);
    expect(enrolment).toEqual({ status: 'active', hold_reason: 'may_ask_to_be_removed' });
  });

  it('comes before newer replies in the list', async () => {
    const { id, first } = await answered();
    const other = await sentMail(installation, zoe);
    await receive(reply(other, {}, 'Yes, let us talk.'));
    const { body } = await installation.api.get('/replies?limit=200');
    const ids = (body.data as { id: number; contact_id: number }[]).map((row) => row.id);
    const [newer] = await query<{ id: number }>(sql`select id from replies where enrolment_id = ${other.enrolmentId}`);
    expect(ids.indexOf(id)).toBeLessThan(ids.indexOf(newer?.id ?? 0));
    expect(new Set(ids).size).toBe(ids.length);
    await installation.api.post(`/replies/${id}/dismiss-opt-out`, {});
    const { body: after } = await installation.api.get(`/replies?limit=200&contact_id=${first.contactId}`);
    expect(after).toMatchObject({ data: [{ id, may_ask_to_be_removed: false }], pagination: { total: 1 } });
  });

  it('confirmed: the address is suppressed, as by a removal request', async () => {
    const { first, second, id } = await answered();
    expect(await installation.api.post(`/replies/${id}/confirm-opt-out`, {})).toMatchObject({
      ...{ status: 200, body: { kind: 'unsubscribe_request', may_ask_to_be_removed: false } },
    });
    expect(await suppressed(first)).toEqual([{ reason: 'asked to be removed' }]);
    expect(await enrolmentOf(first)).toMatchObject({ status: 'stopped', stop_reason: 'asked to be removed', hold_reason: null });
    expect(await enrolmentOf(second)).toMatchObject({ status: 'stopped', hold_reason: null });
    expect(await installation.api.post(`/replies/${id}/confirm-opt-out`, {})).toMatchObject({ status: 409 });
  });

  it('dismissed: the contact continues exactly where they were, with the hold that they had', async () => {
    const until = new Date(installation.clock.now().getTime() + 9 * DAY);
    const { first, second, id } = await answered(MAY_ASK, { held_until: until, hold_reason: 'on holiday' });
    const before = { status: 'active', held_until: until, hold_reason: 'on holiday', current_step: 2 };
    expect(await enrolmentOf(second)).toMatchObject({ hold_reason: 'may_ask_to_be_removed' });
    const [{ due_at }] = (await query<{ due_at: Date }>(sql`select due_at from enrolments where id = ${second.enrolmentId}`)) as [
      { due_at: Date },
    ];
    expect(await installation.api.post(`/replies/${id}/dismiss-opt-out`, {})).toMatchObject({
      ...{ status: 200, body: { kind: 'reply', may_ask_to_be_removed: false } },
    });
    expect(await enrolmentOf(second)).toMatchObject({ ...before, due_at });
    expect(await enrolmentOf(first)).toMatchObject({ status: 'replied', hold_reason: null });
    expect(await suppressed(first)).toEqual([]);
    const events = await query(sql`select type from events where enrolment_id = ${first.enrolmentId} and type = 'replied' and in_feed`);
    expect(events).toHaveLength(1);
    const audited = await query(sql`select changes from audit_log where action = 'reply.reclassify' and resource_id = ${id}`);
    expect(audited).toEqual([{ changes: { may_ask_to_be_removed: [true, false] } }]);
  });

  it('an ordinary answer holds nobody', async () => {
    const { second, id } = await answered('Yes, let us talk.');
    expect(await enrolmentOf(second)).toMatchObject({ status: 'active', hold_reason: null });
    expect(await installation.api.post(`/replies/${id}/dismiss-opt-out`, {})).toMatchObject({ status: 409 });
  });
});

describe('"an absence holds the person: all their active enrolments in the workspace, and those made before its end"', () => {
  const AWAY = 'I am out of the office until 20 July 2026.';
  const away = (mail: SentMail, text = AWAY) => receive(reply(mail, { Subject: 'Out of office', 'Auto-Submitted': 'auto-replied' }, text));
  const HELD = { status: 'active', hold_reason: 'auto-reply "Out of office"' };

  async function enrolInAnother(contactId: number) {
    const campaignId = await insertCampaign(installation.app, { account_id: zoe });
    await enrol(installation.app, operator(1), campaignId, { contact_ids: [contactId] });
    return (
      await query<Record<string, unknown>>(sql`select status, hold_reason, held_until from enrolments where campaign_id = ${campaignId}`)
    )[0];
  }

  it.each([['active'], ['completed']])('whether the sequence that it answers is %s', async (status) => {
    const first = await sentMail(installation, zoe, { enrolment: status === 'active' ? {} : { status, due_at: null } });
    const second = await sentMail(installation, zoe, { contactId: first.contactId, recipient: first.recipient });
    await away(first);
    expect(await enrolmentOf(first)).toMatchObject({ ...HELD, status });
    const held = await enrolmentOf(second);
    expect(held).toMatchObject(HELD);
    expect(await enrolInAnother(first.contactId)).toEqual({ ...HELD, held_until: (held as { held_until: Date }).held_until });
  });

  it('ends with its date, and with a correction of the kind in all campaigns', async () => {
    const first = await sentMail(installation, zoe);
    const second = await sentMail(installation, zoe, { contactId: first.contactId, recipient: first.recipient });
    await away(first);
    const [row] = await query<{ id: number }>(sql`select id from replies where enrolment_id = ${first.enrolmentId}`);
    await installation.api.post(`/replies/${row?.id}/reclassify`, { kind: 'reply' });
    expect(await enrolmentOf(second)).toMatchObject({ status: 'active', held_until: null, hold_reason: null });
    await away(second);
    installation.clock.advance(30 * DAY);
    expect(await enrolInAnother(first.contactId)).toEqual({ status: 'active', hold_reason: null, held_until: null });
  });
});
