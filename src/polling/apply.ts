import { recipient } from '../access/index.ts';
import type { App } from '../app.ts';
import { endEnrolments, holdEnrolment, suppressInTx } from '../campaigns/index.ts';
import { DAY } from '../clock.ts';
import { sql, type Tx } from '../db.ts';
import { type EventType, recordEvents } from '../events/index.ts';
import { type Classification, type Mail, messageIdOf } from './classify/index.ts';
import type { MailboxMessage } from './mailbox.ts';
import type { Match } from './match.ts';

/** A message of a mailbox with everything that is known of it. */
export interface InboundMessage {
  accountId: number;
  workspaceId: number;
  folder: string;
  uidValidity: number;
  message: MailboxMessage;
  parsed: Mail;
  classification: Classification;
  match: Match | null;
}

const SNIPPET = 500;
const DAYS_AWAY = 7;
const SOFT_BOUNCES_TO_END = 3;

/**
 * Records a message and lets it have its effect, in one transaction with the row that says so: read again, it has none.
 * The same message in a second folder, or after a reset of the folder, has none either. True when it was new.
 */
export async function applyMessage(app: App, inbound: InboundMessage): Promise<boolean> {
  return app.db.tx(async (tx) => {
    const messageId = messageIdOf(inbound.parsed);
    const isRepeated = messageId !== null && (await wasSeen(tx, inbound.accountId, messageId));
    if (!(await recordMessage(tx, app, inbound))) return false;
    if (inbound.match !== null && !isRepeated) await actOn(tx, app, inbound.match, inbound);
    return true;
  });
}

async function wasSeen(tx: Tx, accountId: number, messageId: string): Promise<boolean> {
  // Two daemons, or two folders, at the same moment: one after the other.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${accountId} ${messageId}`}, 0))`);
  const rows = await tx.query(sql`select 1 from inbound_messages where account_id = ${accountId} and message_id = ${messageId} limit 1`);
  return rows.length > 0;
}

/** Text from outside may hold what PostgreSQL can't store. */
const storable = (text: string, length: number) => text.replaceAll('\0', '').toWellFormed().slice(0, length);

async function recordMessage(tx: Tx, app: App, inbound: InboundMessage): Promise<boolean> {
  const { parsed, classification, message } = inbound;
  const isOurs = inbound.match !== null;
  const rows = await tx.query(sql`
    insert into inbound_messages (workspace_id, account_id, folder, uid_validity, uid, message_id, sender, subject, verdict, reasons,
      enrolment_id, snippet, received_at, created_at)
    values (${inbound.workspaceId}, ${inbound.accountId}, ${inbound.folder}, ${inbound.uidValidity}, ${message.uid}, ${messageIdOf(parsed)},
      ${isOurs && parsed.from !== null ? storable(parsed.from.address, 320) : null}, ${isOurs ? storable(parsed.subject, 500) : null},
      ${isOurs ? classification.verdict : 'none of ours'}, ${JSON.stringify(classification.reasons)}::jsonb,
      ${inbound.match?.enrolmentId ?? null}, ${isOurs ? storable(classification.ownText, SNIPPET) : null}, ${message.receivedAt}, ${app.clock.now()})
    on conflict (account_id, folder, uid_validity, uid) do nothing returning id`);
  return rows.length > 0;
}

async function actOn(tx: Tx, app: App, match: Match, { classification, parsed }: InboundMessage): Promise<void> {
  const caller = recipient(match.workspaceId, null);
  const event = (type: EventType) =>
    recordEvents(tx, [{ ...match, type, at: app.clock.now(), details: { by: match.by, reasons: classification.reasons } }]);
  const end = (status: 'replied' | 'stopped' | 'bounced', reason?: string) =>
    endEnrolments(tx, app, caller, [match.enrolmentId], reason === undefined ? { status } : { status, reason });
  // A colleague of the contact wrote into the thread: kept with it, and no more.
  if (match.by === 'colleague') return;

  switch (classification.verdict) {
    case 'reply':
      await event('replied');
      await end('replied');
      return;
    case 'unsubscribe_request':
      await event('replied');
      await event('unsubscribed');
      await end('stopped', 'asked to be removed');
      await suppressInTx(tx, app, caller, { email: match.recipient, reason: 'asked to be removed', endAs: 'stopped' });
      return;
    case 'feedback_report':
      await event('unsubscribed');
      await end('stopped', 'complained');
      await suppressInTx(tx, app, caller, { email: match.recipient, reason: 'complaint', endAs: 'stopped' });
      return;
    case 'auto_reply':
      await holdEnrolment(
        tx,
        app,
        caller,
        match.enrolmentId,
        holdUntil(classification.until, app.clock.now()),
        `automatic reply: ${storable(parsed.subject, 200)}`,
      );
      return;
    case 'hard_bounce':
      await event('bounced');
      await end('bounced', classification.reasons[0]);
      await suppressInTx(tx, app, caller, { email: match.recipient, reason: 'bounce', endAs: 'bounced' });
      return;
    case 'soft_bounce':
      await softBounce(tx, match, async () => {
        await event('bounced');
        await end('bounced', classification.reasons[0]);
      });
      return;
    case 'delay':
    case 'other':
  }
}

/** The day after the return, or a week where no day is given. A return on a Friday or weekend means Monday. */
function holdUntil(until: string | null, now: Date): Date {
  if (until === null) return new Date(now.getTime() + DAYS_AWAY * DAY);
  let day = new Date(`${until}T00:00:00Z`).getTime() + DAY;
  while ([0, 6].includes(new Date(day).getUTCDay())) day += DAY;
  return new Date(day);
}

/** The third soft bounce in a row ends the sequence; an accepted mail in between starts the count anew. */
async function softBounce(tx: Tx, match: Match, end: () => Promise<void>): Promise<void> {
  const [row] = await tx.query<{ soft_bounces: number }>(
    sql`update enrolments set soft_bounces = soft_bounces + 1 where id = ${match.enrolmentId} returning soft_bounces`,
  );
  if ((row?.soft_bounces ?? 0) >= SOFT_BOUNCES_TO_END) await end();
}
