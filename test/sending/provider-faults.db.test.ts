import { describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { getAccount } from '../../src/accounts/index.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { classifyReply } from '../../src/mail/replies/classify-reply.ts';
import type { ReplyClass } from '../../src/mail/replies/reply.ts';
import { listOutbox } from '../../src/outbox/index.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { type HostileSmtp, startHostileSmtp } from '../support/hostile/smtp.ts';
import { enrolmentsOf, type Sender, sendingInstallation, startSender } from '../support/sender.ts';
import type { SinkPhase } from '../support/smtp-sink.ts';

const { installation, sink } = await sendingInstallation();

const account = (id: number) => getAccount(installation.app.db, installation.caller, id);
const people = (name: string, count: number) => Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.org` }));
const minutesUntil = (due: string | null) => (new Date(due ?? 0).getTime() - installation.clock.now().getTime()) / MINUTE;
const eventsOf = async ({ campaignId }: Sender) =>
  (
    await installation.app.db.query<{ type: string }>(
      sql`select type from events where campaign_id = ${campaignId} and type <> 'enrolled' order by id`,
    )
  ).map(({ type }) => type);

/** Known SMTP replies of providers, each with its phase and its class in the reply table. */
const ANSWERS: [ReplyClass, SinkPhase, number, string][] = [
  ['hard', 'rcpt', 550, '5.1.1 The email account that you tried to reach does not exist.'],
  ['hard', 'rcpt', 550, '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  ['hard', 'data', 554, "delivery error: dd This user doesn't have a yahoo.com account (x@yahoo.com) [0]"],
  ['hard', 'rcpt', 550, 'Unrouteable address'],
  ['soft', 'rcpt', 452, '4.2.2 The email account that you tried to reach is over quota.'],
  ['soft', 'rcpt', 552, '5.2.2 <x@example.org>: Mailbox over quota'],
  ['temp', 'rcpt', 450, '4.2.0 <x@example.org>: Recipient address rejected: Greylisted'],
  ['temp', 'rcpt', 451, '4.3.0 Temporary lookup failure'],
  ['temp', 'data', 421, '4.7.28 Gmail has detected an unusual rate of unsolicited mail.'],
  ['temp', 'data', 454, 'Throttling failure: Maximum sending rate exceeded.'],
  ['limit', 'data', 550, '5.4.5 Daily user sending limit exceeded.'],
  ['limit', 'data', 554, '5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException'],
  ['limit', 'data', 454, 'Throttling failure: Daily message quota exceeded.'],
  ['limit', 'rcpt', 550, '5.4.6 Unusual sending activity detected. Please try after sometime'],
  ['account', 'mail', 550, '5.1.8 Access denied, bad outbound sender'],
  ['account', 'mail', 530, '5.7.0 Authentication Required.'],
  ['account', 'data', 554, 'Message rejected: Email address is not verified.'],
  ['account', 'rcpt', 550, '5.7.1 relaying denied'],
  ['block', 'data', 550, '5.7.1 Our system has detected that this message is likely unsolicited mail.'],
  ['block', 'rcpt', 554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
  ['message', 'data', 552, "5.3.4 Your message exceeded Google's message size limits."],
];

/** Expected state of the contact and of the account, by the class of the reply. */
const CONSEQUENCES: Record<ReplyClass, { contact: object; account: object; events: string[]; waits?: number }> = {
  hard: { contact: { status: 'bounced' }, account: { status: 'active' }, events: [] },
  soft: { contact: { status: 'active' }, account: { status: 'active' }, events: [], waits: 15 },
  temp: { contact: { status: 'active' }, account: { status: 'active' }, events: [], waits: 15 },
  limit: { contact: { status: 'active' }, account: { status: 'paused', pause_reason: 'provider_limit' }, events: [], waits: 0 },
  account: { contact: { status: 'active' }, account: { status: 'paused', pause_reason: 'provider_error' }, events: [], waits: 0 },
  block: { contact: { status: 'active' }, account: { status: 'active' }, events: ['failed'], waits: 24 * 60 },
  message: { contact: { status: 'active' }, account: { status: 'active' }, events: ['failed'], waits: 24 * 60 },
};

describe('a reply of the table, from a real server', () => {
  it.each(ANSWERS)('%s at %s: %i %s', async (kind, phase, code, text) => {
    expect(classifyReply({ phase, code, enhanced: null, text: `${code} ${text}` }).class).toBe(kind);
    const sender = await startSender(installation, sink, { contacts: people(`t${sink.logins}`, 1) });
    sink.misbehave(phase, { code, text }, { times: 1 });
    expect(await sender.batch()).toEqual({ sent: 0, other: 1 });
    const expected = CONSEQUENCES[kind];
    const [enrolment] = await enrolmentsOf(installation, sender.campaignId);
    expect(enrolment).toMatchObject(expected.contact);
    if (expected.waits !== undefined) expect(minutesUntil(enrolment?.due_at ?? null)).toBe(expected.waits);
    expect(await account(sender.accountId)).toMatchObject(expected.account);
    expect(await eventsOf(sender)).toEqual(expected.events);
    expect(sink.messages).toEqual([]);
    // The text is kept for troubleshooting.
    expect((await listOutbox(installation.app.db, operator(1), { uncertain: false, limit: 1 }))[0]?.response).toContain(text);
  });
});

describe('a server that closes the connection after a few emails', () => {
  it('gets every email once, in the same batch, over new connections', async () => {
    const closing = await closingAfter(3);
    const sender = await startSender(installation, closing, { contacts: people('pool', 10) });
    expect((await sender.batch()).sent).toBe(10);
    expect(closing.messages).toHaveLength(10);
    expect(closing.connections).toBeGreaterThanOrEqual(4);
    expect((await enrolmentsOf(installation, sender.campaignId)).every(({ status }) => status === 'completed')).toBe(true);
    await closing.close();
  });

  async function closingAfter(mails: number): Promise<HostileSmtp> {
    let taken = 0;
    return startHostileSmtp({
      dot: (socket) => {
        socket.write('250 2.0.0 queued\r\n');
        if (++taken % mails === 0) socket.end();
      },
    });
  }
});

describe('a temporary refusal before RCPT TO', () => {
  it('is about the sender: it does not count against the contacts, and however often it comes it pauses nothing', async () => {
    const sender = await startSender(installation, sink, { contacts: people('later', 2) });
    sink.misbehave('mail', { code: 421, text: '4.3.2 System not accepting network messages' });
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await sender.batch()).sent).toBe(0);
      installation.clock.advance(HOUR);
    }
    expect(await account(sender.accountId)).toMatchObject({ status: 'active', pause_reason: null });
    const rows = await installation.app.db.query(
      sql`select status, soft_bounces, failures from enrolments where campaign_id = ${sender.campaignId}`,
    );
    expect(rows).toEqual([
      { status: 'active', soft_bounces: 0, failures: 0 },
      { status: 'active', soft_bounces: 0, failures: 0 },
    ]);
  });
});

describe('a login that is revoked in the middle of a batch', () => {
  it('ends the batch and pauses the account; sent emails stay sent, the others wait', async () => {
    const sender = await startSender(installation, sink, { contacts: people('revoked', 5) });
    sink.misbehave('rcpt', { code: 530, text: '5.7.0 Authentication Required. Learn more' }, { to: 'revoked-2@example.org' });
    expect(await sender.batch()).toEqual({ sent: 2, other: 3 });
    expect(await account(sender.accountId)).toMatchObject({ status: 'paused', pause_reason: 'provider_error' });
    const rows = await enrolmentsOf(installation, sender.campaignId);
    expect(rows.map(({ status }) => status)).toEqual(['completed', 'completed', 'active', 'active', 'active']);
    expect(rows.slice(2).every(({ due_at }) => due_at !== null)).toBe(true);
  });
});

describe('a recipient in a domain beyond ASCII', () => {
  it('is given in A-labels, which every server supports', async () => {
    const raw = await startHostileSmtp();
    const sender = await startSender(installation, raw, { contacts: [{ email: 'jo@bücher.example' }] });
    expect(await sender.batch()).toEqual({ sent: 1, other: 0 });
    expect(raw.lines).toContain('RCPT TO:<jo@xn--bcher-kva.example>');
    expect(raw.messages[0]).toMatch(/^To: .*<?jo@xn--bcher-kva\.example>?$/m);
    await raw.close();
  });
});

describe('an email that is held does not block the others', () => {
  it.each([
    [
      'a line break in the name of the contact',
      { name: 'Eve\r\nBcc: all@example.org', email: 'crlf@example.org' },
      /^To: contains a line break/,
    ],
    ['an address that needs SMTPUTF8', { email: 'jörg@example.org' }, /needs SMTPUTF8|Internationalized/],
    ['an address that breaks out of its command', { email: 'a b@example.org' }, /is not an address|RCPT|To: /],
  ])('%s', async (_name, contact, reason) => {
    const raw = await startHostileSmtp();
    const { app, caller } = installation;
    const [before, after] = people(`held${raw.port}`, 2);
    const sender = await startSender(installation, raw, { contacts: [before ?? {}, contact, after ?? {}] });
    expect(await sender.batch()).toEqual({ sent: 2, other: 1 });
    const rows = await enrolmentsOf(installation, sender.campaignId);
    expect(rows.map(({ status }) => status)).toEqual(['completed', 'active', 'completed']);
    expect(rows[1]?.hold_reason).toMatch(reason);
    expect(raw.messages).toHaveLength(2);
    expect(raw.lines.some((line) => /^Bcc:/.test(line))).toBe(false);
    expect(await eventsOf(sender)).toEqual(expect.arrayContaining(['failed', 'sent', 'sent']));
    expect((await explainCampaign(app, caller, sender.campaignId)).reasons.join(' ')).toMatch(/1 contact is held(?: until \S+ \S+ \S+)?: /);
    expect(
      (await listOutbox(app.db, operator(1), { uncertain: false, limit: 3 })).find(({ state }) => state === 'retry')?.response,
    ).toMatch(reason);
    expect(await account(sender.accountId)).toMatchObject({ status: 'active' });
    await raw.close();
  });
});
