import { beforeAll, describe, expect, it } from 'vitest';
import { type EnrolmentSnapshot, withoutReply } from '../../src/campaigns/enrolments/snapshot.ts';
import { resumeEnrolment, suppressAddress } from '../../src/campaigns/index.ts';
import { DAY, HOUR, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { campaignCounts } from '../../src/events/index.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { REPLY_KINDS, type ReplyKind } from '../../src/replies/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { numberFaults } from '../support/number-faults.ts';
import { arrive, mailboxAccount, PASSWORD, type SentMail, type SentOptions, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const ZOE = 'zoe@example.com';
let installation: Awaited<ReturnType<typeof servedInstallation>>;
let server: ImapServer;
let zoe: number;
let domains = 0;

beforeAll(async () => {
  installation = await servedInstallation({ webhooksAllowPrivate: true });
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(installation.app, server.port, ZOE);
});

const query = <Row>(statement: Parameters<typeof installation.app.db.query>[0]) => installation.app.db.query<Row>(statement);

/** An email to somebody at a company of their own, in a campaign of its own unless one is given. */
const mailTo = async (options: SentOptions = {}, name = 'ada'): Promise<SentMail> =>
  sentMail(installation, zoe, { recipient: `${name}@company-${++domains}.example`, ...options });

async function receive(...raw: string[]): Promise<void> {
  installation.clock.advance(600 * SECOND);
  for (const message of raw) await arrive(server, ZOE, message);
  await new MailboxPoller(installation.app).poll(zoe);
}

/** A message of a kind, from the contact or from their colleague. */
function messageOf(kind: ReplyKind, mail: SentMail, isColleague = kind === 'colleague'): string {
  const from: Record<string, string> = isColleague ? { From: `Eve <eve@${mail.recipient.split('@')[1]}>` } : {};
  if (kind === 'auto_reply') return reply(mail, { ...from, 'Auto-Submitted': 'auto-replied' }, 'I am away.');
  return reply(mail, from, kind === 'unsubscribe_request' ? 'Please remove me from your list.' : 'Yes, let us talk.');
}

const newestReply = async ({ enrolmentId }: SentMail) =>
  (await query<{ id: number }>(sql`select id from replies where enrolment_id = ${enrolmentId} order by id desc limit 1`))[0]?.id ?? 0;
const reclassify = async (id: number, kind: ReplyKind) => installation.api.post(`/replies/${id}/reclassify`, { kind });

/** Everything that a reply can change: the enrolment, its events, the statistics, the suppression. Without times of day and ids. */
async function stateOf({ enrolmentId, campaignId, recipient }: SentMail) {
  const [enrolment] = await query(sql`
    select status, stop_reason, current_step, hold_reason, content_fault, due_at - last_sent_at as waits, held_until - last_sent_at as held
    from enrolments where id = ${enrolmentId}`);
  const events = await query<{ type: string }>(
    sql`select type, step_order from events where enrolment_id = ${enrolmentId} and in_feed order by type`,
  );
  const [stats] = await query(
    sql`select n.contacts, n.sent, n.opened, n.clicked, n.replied, n.bounced, n.failed from (${campaignCounts(sql`select ${campaignId}::int`)}) n`,
  );
  const suppressed = await query(sql`select reason from suppressions where email = ${recipient} and removed_at is null`);
  const [campaign] = await query(sql`select status from campaigns where id = ${campaignId}`);
  return { enrolment, events, stats, suppressed, campaign };
}

const DIRECTIONS = REPLY_KINDS.flatMap((from) => REPLY_KINDS.filter((to) => to !== from).map((to): [ReplyKind, ReplyKind] => [from, to]));

describe('POST /replies/{id}/reclassify', () => {
  it.each(DIRECTIONS)('%s that was %s: as if it had come in as that, and back as if nothing had been', async (from, to) => {
    const [corrected, right] = [await mailTo(), await mailTo()];
    // Whoever wrote it stays who they are, unless the kind says otherwise.
    const isColleague = to === 'colleague' || (to !== 'reply' && from === 'colleague');
    await receive(messageOf(from, corrected), messageOf(to, right, isColleague));
    const [before, wanted] = [await stateOf(corrected), await stateOf(right)];
    const id = await newestReply(corrected);
    installation.clock.advance(HOUR);
    expect(await reclassify(id, to)).toMatchObject({ status: 200, body: { id, kind: to } });
    expect(await stateOf(corrected)).toEqual(wanted);
    expect(await reclassify(id, to)).toMatchObject({ status: 200, body: { id, kind: to } });
    expect(await stateOf(corrected)).toEqual(wanted);
    await reclassify(id, from);
    expect(await stateOf(corrected)).toEqual(before);
    const audited = await query<{ changes: object }>(
      sql`select changes from audit_log where action = 'reply.reclassify' and resource_id = ${id} order by id`,
    );
    expect(audited.map(({ changes }) => changes)).toEqual([{ kind: [from, to] }, { kind: [to, from] }]);
  });

  it('keeps every counter right meanwhile', async () => {
    expect(await numberFaults(installation.app)).toEqual([]);
  });

  it('a mistaken reply lets the sequence go on where it was, in a campaign that was completed by it, and takes its event back', async () => {
    const mail = await mailTo();
    const [{ due_at: due }] = (await query<{ due_at: Date }>(sql`select due_at from enrolments where id = ${mail.enrolmentId}`)) as [
      { due_at: Date },
    ];
    await receive(messageOf('reply', mail));
    expect((await stateOf(mail)).campaign).toEqual({ status: 'completed' });
    await reclassify(await newestReply(mail), 'auto_reply');
    const [row] = await query(sql`select status, due_at, current_step from enrolments where id = ${mail.enrolmentId}`);
    expect(row).toEqual({ status: 'active', due_at: due, current_step: 2 });
    expect(await stateOf(mail)).toMatchObject({ events: [], stats: { replied: 0 }, campaign: { status: 'active' } });
  });

  it('another reply of the same person stands, whichever of them is corrected', async () => {
    const mail = await mailTo();
    await receive(messageOf('reply', mail));
    const first = await newestReply(mail);
    await receive(messageOf('reply', mail));
    const second = await newestReply(mail);
    await reclassify(first, 'auto_reply');
    expect(await stateOf(mail)).toMatchObject({ enrolment: { status: 'replied' }, events: [{ type: 'replied' }], stats: { replied: 1 } });
    await reclassify(second, 'auto_reply');
    expect(await stateOf(mail)).toMatchObject({ enrolment: { status: 'active' }, events: [], stats: { replied: 0 } });
    await reclassify(first, 'reply');
    expect(await stateOf(mail)).toMatchObject({ enrolment: { status: 'replied' }, stats: { replied: 1 } });
  });

  it('a removal that was none lifts the suppression and has the other sequences of the address go on, but not where they asked otherwise', async () => {
    const { app, caller } = installation;
    const mail = await mailTo();
    const other = await sentMail(installation, zoe, { recipient: mail.recipient, contactId: mail.contactId });
    await receive(messageOf('unsubscribe_request', mail));
    expect((await stateOf(other)).enrolment).toMatchObject({ status: 'stopped', stop_reason: 'suppressed' });
    await reclassify(await newestReply(mail), 'reply');
    expect(await stateOf(mail)).toMatchObject({ enrolment: { status: 'replied' }, suppressed: [] });
    expect((await stateOf(other)).enrolment).toMatchObject({ status: 'active' });

    const asked = await mailTo();
    await receive(messageOf('unsubscribe_request', asked));
    await suppressAddress(app, caller, { email: asked.recipient, reason: 'by phone' });
    await reclassify(await newestReply(asked), 'auto_reply');
    expect(await stateOf(asked)).toMatchObject({
      enrolment: { status: 'stopped', stop_reason: 'suppressed' },
      suppressed: [{ reason: 'asked to be removed' }],
    });
  });

  it('two removal requests hold the suppression together', async () => {
    const mail = await mailTo();
    await receive(messageOf('unsubscribe_request', mail));
    const first = await newestReply(mail);
    await receive(messageOf('unsubscribe_request', mail));
    await reclassify(first, 'auto_reply');
    expect(await stateOf(mail)).toMatchObject({ enrolment: { status: 'stopped', stop_reason: 'asked to be removed' }, suppressed: [{}] });
    await reclassify(await newestReply(mail), 'auto_reply');
    expect(await stateOf(mail)).toMatchObject({ enrolment: { status: 'active' }, suppressed: [] });
  });

  it('whoever a mistaken reply stopped at the company goes on, unless they have replied themselves', async () => {
    const campaignId = await insertCampaign(installation.app, { account_id: zoe, stop_company: true }, [{ subject: 'Hello' }, {}, {}]);
    const domain = `company-${++domains}.example`;
    const [ada, bob, cy] = [
      await mailTo({ campaignId, recipient: `ada@${domain}` }),
      await mailTo({ campaignId, recipient: `bob@${domain}` }),
      await mailTo({ campaignId, recipient: `cy@${domain}` }),
    ];
    await receive(messageOf('reply', ada));
    expect((await stateOf(bob)).enrolment).toMatchObject({ status: 'stopped' });
    await reclassify(await newestReply(ada), 'auto_reply');
    for (const mail of [ada, bob, cy]) expect((await stateOf(mail)).enrolment).toMatchObject({ status: 'active' });
    await reclassify(await newestReply(ada), 'reply');
    await receive(messageOf('reply', bob));
    await reclassify(await newestReply(ada), 'auto_reply');
    expect((await stateOf(bob)).enrolment).toMatchObject({ status: 'replied' });
    expect((await stateOf(cy)).enrolment).toMatchObject({ status: 'stopped' });
  });

  it('does not bring back a sequence that a person has resumed or whose address bounced since', async () => {
    const { app, caller } = installation;
    const resumed = await mailTo();
    await receive(messageOf('reply', resumed));
    await resumeEnrolment(app, caller, resumed.enrolmentId);
    const before = (await stateOf(resumed)).enrolment as object;
    await reclassify(await newestReply(resumed), 'auto_reply');
    const after = await stateOf(resumed);
    expect(after.enrolment).toMatchObject({ ...before, hold_reason: expect.any(String), held: expect.anything() });
    expect(after.events.map(({ type }) => type)).not.toContain('replied');

    const bounced = await mailTo();
    await receive(messageOf('reply', bounced));
    await receive(bounce(bounced));
    await reclassify(await newestReply(bounced), 'auto_reply');
    expect(await stateOf(bounced)).toMatchObject({ enrolment: { status: 'bounced' }, events: [{ type: 'bounced' }] });
  });

  it('leaves a longer hold that a person set', async () => {
    const mail = await mailTo();
    const until = new Date(installation.clock.now().getTime() + 20 * DAY).toISOString();
    await installation.api.post(`/campaigns/${mail.campaignId}/contacts/${mail.contactId}/hold`, { until });
    await receive(messageOf('reply', mail));
    await reclassify(await newestReply(mail), 'auto_reply');
    const [row] = await query<{ held_until: Date; hold_reason: string }>(
      sql`select held_until, hold_reason from enrolments where id = ${mail.enrolmentId}`,
    );
    expect(row).toEqual({ held_until: new Date(until), hold_reason: 'manual' });
  });

  it('refuses an unknown kind', async () => {
    const mail = await mailTo();
    await receive(messageOf('reply', mail));
    const id = await newestReply(mail);
    expect(await installation.api.post(`/replies/${id}/reclassify`, { kind: 'bounce' })).toMatchObject(
      refusal(400, 'invalid_request', 'kind'),
    );
  });
});

describe('withoutReply', () => {
  const active: EnrolmentSnapshot = {
    ...{ status: 'active', stop_reason: null, due_at: '2026-07-08T00:00:00Z', content_fault: null, content_version: null },
    ...{ hold_kind: null, held_until: null, hold_reason: null, held_by: null, before_hold: null, ended_by: null, before_end: null },
  };
  const held = { ...active, held_until: '2026-07-20T00:00:00Z', hold_reason: 'away', held_by: 1, before_hold: { ...holdOf(active) } };
  const ended: EnrolmentSnapshot = { ...active, status: 'replied', due_at: null, ended_by: 2, before_end: held };

  it('takes a hold out of the state that a later reply will restore, and an end out of the middle', () => {
    expect(withoutReply(ended, 1)).toEqual({ ...ended, before_end: active });
    expect(withoutReply(ended, 2)).toEqual(held);
    expect(withoutReply({ ...active, status: 'stopped', ended_by: 3, before_end: ended }, 2)).toMatchObject({
      status: 'stopped',
      before_end: held,
    });
    expect(withoutReply(ended, 9)).toEqual(ended);
  });

  function holdOf({ held_until, hold_reason, held_by, before_hold }: EnrolmentSnapshot) {
    return { held_until, hold_reason, held_by, before_hold };
  }
});
