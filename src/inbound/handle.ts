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
  /** Of those, the ones about an email of ours that somebody else sent. */
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
 * Reads messages that came and applies their effects; one that can't be read is quarantined. Returns those of which only the header came, if that does
 * not say that they are about an email of ours: their body may.
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
    // Of a message that can't be read to its end, the beginning counts where it is about an email of ours.
    if (!(await applyOutcome(app, found, outcome, again, total)) && 'reason' in outcome) await quarantineIt(outcome.reason);
  } catch (error) {
    if (isOutage(error)) throw error;
    await quarantineIt(error instanceof Error ? error : String(error));
  }
}

/** Returns true if the header alone says that the message is about an email of ours. */
async function handleHeader(app: App, found: FoundMessage, outcome: Outcome, again: ReadAgain, total: PollResult): Promise<boolean> {
  try {
    const reason = `the server gave its header only: ${found.message.lacksBody}`;
    return await applyOutcome(app, found, 'result' in outcome ? { ...outcome, reason } : outcome, again, total);
  } catch (error) {
    if (isOutage(error)) throw error;
    return false;
  }
}

/** Applies a message that was read; of one that was not read to its end, only if it is about an email of ours. Returns whether it did. */
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
 * Matches a message, and reads it again with the email that it answers: then what it repeats of that email is not taken for its words.
 * Without an email, or if the second reading fails, the first one holds.
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
    // A contact's address may send reports about domains, too: it then writes to nobody.
    return match?.proof === 'sender' && isReport(report) ? null : match;
  };
  const match = await matchOf(first);
  const sent = match === null ? null : await sentEmail(app, match, first.result);
  const second = sent === null ? first : await again(sent);
  return 'result' in second && second !== first ? { outcome: second, match: await matchOf(second) } : { outcome: first, match };
}

/** True when a later try may succeed: the database was away, busy or full. Anything else would fail for ever. */
function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25|40|53|55|57|58|XX)/.test(state);
  return /ECONN|EPIPE|ETIMEDOUT|connection|terminat|timeout|pool/i.test(messageOf(error));
}
