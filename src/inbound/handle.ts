import type { App } from '../app.ts';
import { messageOf, sqlState } from '../core/errors.ts';
import type { MessageReaders, Outcome, ReadMessage } from '../mail/classify/index.ts';
import { applyMessage, type FoundMessage, isAboutUs, type PolledFolder, quarantine } from './apply.ts';
import type { MailboxMessage, MissingMessage, ReadableFolder } from './fetch.ts';
import { isReport } from './keep-report.ts';
import { type Match, matchMessage } from './match.ts';
import { type ReadAgain, readMessages } from './read-messages.ts';
import { sentEmail } from './sent-email.ts';

export interface PollResult {
  /** New messages. */
  read: number;
  /** New messages about our emails, except those written by our own side. */
  matched: number;
}

export interface Handling {
  app: App;
  readers: MessageReaders;
  place: PolledFolder;
  reading: ReadableFolder;
  total: PollResult;
  signal: AbortSignal | undefined;
}

/**
 * Reads fetched messages, applies their effects and quarantines those that can't be read. Returns messages of which only the header came,
 * unless the header shows that they are about one of our emails; their body may still show it.
 */
export async function handleMessages(
  { app, readers, place, reading, total, signal }: Handling,
  messages: readonly MailboxMessage[],
): Promise<MissingMessage[]> {
  const unread: MissingMessage[] = [];
  const found = messages.map((message) => ({ ...place, message }));
  for await (const [each, outcome, again] of readMessages(app, reading, readers, found)) {
    if (signal?.aborted) return unread;
    const { lacksBody } = each.message;
    if (lacksBody === undefined) await handleMessage(app, each, outcome, again, total);
    else if (!(await handleHeader(app, each, outcome, again, total))) unread.push({ uid: each.message.uid, reason: lacksBody });
  }
  return unread;
}

async function handleMessage(app: App, found: FoundMessage, outcome: Outcome, again: ReadAgain, total: PollResult): Promise<void> {
  const quarantineIt = (error: string | Error) => {
    const { accountId: account, folder, message } = found;
    app.log.error({ account, folder: folder.path, uid: message.uid, err: error }, 'a message could not be read and is quarantined');
    return quarantine(app, found, messageOf(error));
  };
  try {
    // If a message can't be read completely, its beginning still counts if it is about one of our emails.
    if (!(await applyOutcome(app, found, outcome, again, total)) && 'reason' in outcome) await quarantineIt(outcome.reason);
  } catch (error) {
    if (isOutage(error)) throw error;
    await quarantineIt(error instanceof Error ? error : String(error));
  }
}

/** Handles a message without its body. Returns true if the header alone shows that it is about one of our emails. */
async function handleHeader(app: App, found: FoundMessage, outcome: Outcome, again: ReadAgain, total: PollResult): Promise<boolean> {
  try {
    const reason = `the server returned only the header: ${found.message.lacksBody}`;
    return await applyOutcome(app, found, 'result' in outcome ? { ...outcome, reason } : outcome, again, total);
  } catch (error) {
    if (isOutage(error)) throw error;
    return false;
  }
}

/** Applies a message. If it was not read completely, applies it only if it is about one of our emails. Returns true if applied. */
async function applyOutcome(app: App, found: FoundMessage, first: Outcome, again: ReadAgain, total: PollResult): Promise<boolean> {
  const { outcome, match } = await matchOutcome(app, found, first, again);
  if (!('result' in outcome)) return false;
  if ('reason' in outcome && !isAboutUs(match)) return false;
  const isNew = await applyMessage(app, found, { ...outcome, match });
  if (isNew) total.read++;
  if (isNew && isAboutUs(match)) total.matched++;
  return true;
}

/**
 * Matches a message, and reads it again together with the email that it answers, so that quoted parts of the email are not taken for the
 * author's text. Without such an email, or if the second reading fails, uses the first reading.
 */
async function matchOutcome(
  app: App,
  found: FoundMessage,
  first: Outcome,
  again: ReadAgain,
): Promise<{ outcome: Outcome; match: Match | null }> {
  if (!('result' in first)) return { outcome: first, match: null };
  const matchOf = async ({ mail, result, report }: ReadMessage) => {
    const match = await matchMessage(app, found.accountId, mail, result, app.clock.now());
    // A contact's address may also send domain reports, which do not answer any email.
    return match?.proof === 'sender' && isReport(report) ? null : match;
  };
  const match = await matchOf(first);
  const sent = match === null ? null : await sentEmail(app, match, first.result);
  const second = sent === null ? first : await again(sent);
  return 'result' in second && second !== first ? { outcome: second, match: await matchOf(second) } : { outcome: first, match };
}

/** Returns true if a retry may succeed, because the database was unreachable, busy or full. Any other error would recur. */
function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25|40|53|55|57|58|XX)/.test(state);
  return /ECONN|EPIPE|ETIMEDOUT|connection|terminat|timeout|pool/i.test(messageOf(error));
}
