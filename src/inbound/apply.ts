import type { Poll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import type { PollEnds } from '../campaigns/index.ts';
import { unreadableTotal } from '../core/metrics.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { Classification, InboundHead } from '../mail/classify/index.ts';
import { applyEffect } from './apply-effect.ts';
import { saveCursor } from './cursor.ts';
import type { Proof } from './evidence.ts';
import type { MailboxMessage } from './fetch.ts';
import { keepReply } from './keep-reply.ts';
import { keepReport, reportReason } from './keep-report.ts';
import { logEffect } from './log-effect.ts';
import type { OpenFolder } from './mailbox.ts';
import type { Match, Reading } from './match.ts';
import { storable } from './storable.ts';
import type { Writer } from './writer.ts';

/** A running poll, and the enrolments that its messages have ended so far. */
export interface MessagePoll extends Poll {
  ends: PollEnds;
}

/** A folder being read, and the poll that reads it. */
export interface PolledFolder extends MessagePoll {
  folder: OpenFolder;
}

/** A message of a mailbox, with its folder and its poll. */
export interface FoundMessage extends PolledFolder {
  message: MailboxMessage;
}

const MAX_SNIPPET = 500;

/**
 * Records a message, applies its effect and moves the folder's cursor in one transaction, so a message that is polled again has no
 * effect. Neither has the same message in a second folder or mailbox of the workspace, or under a new UID.
 * @returns true if the message was new
 */
export async function applyMessage(app: App, found: FoundMessage, reading: Reading): Promise<boolean> {
  const { match } = reading;
  const messageId = storable(reading.messageId, MAX_SNIPPET);
  if (!isAboutUs(match)) return recordForeign(app, found, messageId, reading);
  return app.db.tx(async (tx) => {
    const isRepeated = await wasSeen(tx, found.workspaceId, messageId, reading.identity);
    const row = isRepeated
      ? { ...ANONYMOUS_MESSAGE, message_id: messageId, verdict: 'repeated', reasons: [] }
      : rowOf(reading, match, messageId);
    const inboundId = await record(tx, app, found, row);
    if (inboundId !== null && !isRepeated) {
      const { accountId: mailboxId, message } = found;
      const replyId = await keepReply(tx, app, { inboundId, mailboxId, receivedAt: message.receivedAt }, reading, match);
      await applyEffect(tx, app, { ends: found.ends, reading, match, replyId });
      tx.afterCommit(async () => logEffect(app, mailboxId, reading, match));
    }
    await moveCursor(tx, app, found);
    return inboundId !== null;
  });
}

/** Returns true for a message about one of our emails that our own side did not write. */
export const isAboutUs = (match: Match | null): match is Match => match !== null && match.writer !== 'us';

/**
 * Records a message that is not about our emails. Most messages are not, so it runs one statement, unless the message contains a domain
 * report.
 */
async function recordForeign(app: App, found: FoundMessage, messageId: string, { result, report }: Reading): Promise<boolean> {
  // Stores neither sender nor text, because the message is private to the owner of the mailbox.
  const row = { ...ANONYMOUS_MESSAGE, message_id: messageId, verdict: 'none of ours', reasons: result.reasons };
  if (report === null) return (await record(app.db, app, found, row)) !== null;
  return app.db.tx(async (tx) => {
    const isNew = (await record(tx, app, found, { ...row, reasons: [reportReason(report)] })) !== null;
    if (isNew) await keepReport(tx, app, found, report);
    return isNew;
  });
}

/**
 * Records a message that can't be read or handled, and moves the cursor past it, so that it neither blocks the mailbox nor is read again.
 */
export async function quarantine(app: App, found: FoundMessage, reason: string): Promise<void> {
  unreadableTotal.inc();
  await app.db.tx(async (tx) => {
    await record(tx, app, found, { ...ANONYMOUS_MESSAGE, message_id: null, verdict: 'unreadable', reasons: [reason] });
    await moveCursor(tx, app, found);
  });
}

interface Row {
  message_id: string | null;
  identity: string | null;
  verdict: string;
  reasons: string[];
  enrolment_id: number | null;
  outbox_id: number | null;
  proof: Proof | null;
  writer: Writer | null;
  because: string | null;
  copy: number | null;
  sender: string | null;
  subject: string | null;
  snippet: string | null;
}

const rowOf = ({ mail, result, identity }: Reading, match: Match, messageId: string): Row => ({
  message_id: messageId,
  identity,
  verdict: result.verdict,
  reasons: result.reasons,
  enrolment_id: match.email.enrolmentId,
  outbox_id: match.email.outboxId,
  proof: match.proof,
  writer: match.writer,
  because: match.because,
  copy: match.copy === null ? null : match.email.copies.indexOf(match.copy),
  ...excerptOf(mail, result),
  // The text of a private mailbox must not be visible to everybody who sees the campaign.
  ...(match.email.isQuotable ? {} : { subject: null, snippet: null }),
});

const ANONYMOUS_MESSAGE = {
  identity: null,
  enrolment_id: null,
  outbox_id: null,
  proof: null,
  writer: null,
  because: null,
  copy: null,
  sender: null,
  subject: null,
  snippet: null,
};

/** Returns the id of the new row; null if the message is already recorded. */
async function record(
  tx: Queryable,
  app: App,
  { accountId, workspaceId, folder, message }: FoundMessage,
  row: Row,
): Promise<number | null> {
  const [inserted] = await tx.query<{ id: number }>(sql`
    insert into inbound_messages (workspace_id, account_id, folder, uid_validity, uid, message_id, identity, sender, subject, verdict, reasons,
      enrolment_id, outbox_id, proof, writer, because, copy, snippet, received_at, created_at)
    values (${workspaceId}, ${accountId}, ${folder.path}, ${folder.uidValidity}, ${message.uid}, ${row.message_id}, ${row.identity}, ${row.sender},
      ${row.subject}, ${row.verdict}, ${JSON.stringify(row.reasons.map((reason) => storable(reason, MAX_SNIPPET)))}::jsonb, ${row.enrolment_id}, ${row.outbox_id},
      ${row.proof}, ${row.writer}, ${row.because}, ${row.copy}, ${row.snippet}, ${message.receivedAt}, ${app.clock.now()})
    on conflict (account_id, folder, uid_validity, uid) do nothing returning id`);
  return inserted?.id ?? null;
}

/** Returns true if the message was recorded before, in any mailbox of the workspace. Index: inbound_messages_message_id. */
async function wasSeen(tx: Tx, workspaceId: number, messageId: string, identity: string): Promise<boolean> {
  // Serializes daemons, mailboxes and folders that get the same message at the same time.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${workspaceId} ${messageId}`}, 0))`);
  const rows = await tx.query(sql`
    select 1 from inbound_messages where workspace_id = ${workspaceId} and message_id = ${messageId} and identity = ${identity} limit 1`);
  return rows.length > 0;
}

const moveCursor = (tx: Tx, app: App, { accountId, folder, message }: FoundMessage) =>
  saveCursor(tx, accountId, folder.path, { uidValidity: folder.uidValidity, lastUid: message.uid, uidNext: null }, app.clock.now());

const excerptOf = (mail: InboundHead, result: Classification) => ({
  sender: mail.from === null ? null : storable(mail.from.address, MAX_SNIPPET),
  subject: storable(mail.subject, MAX_SNIPPET),
  snippet: storable(result.ownText, MAX_SNIPPET),
});
