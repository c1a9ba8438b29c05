import pLimit from 'p-limit';
import type { App } from '../app.ts';
import { BEGINNING_BYTES, MessageReaders, type Outcome, type SentEmail } from '../mail/classify/index.ts';
import type { FoundMessage } from './apply.ts';
import { fetchFurther, fetchWhole, isCut, type ReadableFolder } from './fetch.ts';
import { countTry, forgetTries } from './tries.ts';

/** The reader processes shared by all mailboxes of this daemon. */
export const sharedReaders = new MessageReaders();
/** Limits the number of large messages in memory, across all mailboxes. */
const limitLarge = pLimit(4);
/** Number of attempts to read a large message: the first reads the whole message, the second its beginning. */
const MAX_TRIES = 2;

/** Reads a message again, together with the email that it answers. */
export type ReadAgain = (sent: SentEmail) => Promise<Outcome>;

/**
 * Reads messages of one mailbox. Yields the outcome of each, in order, with a function to read it again. Small messages are read together.
 * Of a large message only the beginning was fetched; the rest is fetched when its turn comes, and its attempts are counted.
 */
export async function* readMessages(
  app: App,
  reading: ReadableFolder,
  readers: MessageReaders,
  all: readonly FoundMessage[],
): AsyncGenerator<[FoundMessage, Outcome, ReadAgain]> {
  const [first] = all;
  if (first === undefined) return;
  const small = all.filter(({ message }) => !isCut(message));
  const outcomes = await readers.read(
    first.workspaceId,
    small.map(({ message }) => message.raw),
  );
  const read = new Map(small.map((found, index) => [found, outcomes[index]]));
  for (const found of all) {
    const outcome = read.get(found);
    const again = (sent: SentEmail) => readOne(readers, found, found.message.raw, sent);
    if (outcome !== undefined) yield [found, outcome, again];
    else yield* readLarge(app, reading, readers, found);
  }
}

async function* readLarge(
  app: App,
  reading: ReadableFolder,
  readers: MessageReaders,
  found: FoundMessage,
): AsyncGenerator<[FoundMessage, Outcome, ReadAgain]> {
  try {
    // Only a process that was killed leaves counted attempts behind.
    const tries = await countTry(app, found);
    // A second reading fetches the bytes again instead of keeping them, because few large messages are replies.
    const read = (sent: SentEmail | null) => limitLarge(() => readAtTry(reading, readers, found, tries, sent));
    yield [found, await read(null), read];
  } finally {
    await forgetTries(app, found);
  }
}

async function readAtTry(
  reading: ReadableFolder,
  readers: MessageReaders,
  found: FoundMessage,
  tries: number,
  sent: SentEmail | null,
): Promise<Outcome> {
  const reason = `the daemon was killed ${tries === 2 ? 'once' : 'more than once'} while it was reading the whole message`;
  if (tries > MAX_TRIES) return { reason };
  const raw = tries === 1 ? await fetchWhole(reading, found.message) : found.message.raw.subarray(0, BEGINNING_BYTES);
  const outcome = await readOne(readers, found, raw, sent);
  if (tries > 1) return { ...outcome, reason };
  if (!('content' in outcome) || outcome.content.text.trim() !== '') return outcome;
  const further = await fetchFurther(reading, found.message, raw);
  if (further === null) return outcome;
  const read = await readOne(readers, found, further, sent);
  return 'content' in read ? { ...read, content: { ...read.content, files: outcome.content.files } } : outcome;
}

async function readOne(readers: MessageReaders, { workspaceId }: FoundMessage, raw: Uint8Array, sent: SentEmail | null): Promise<Outcome> {
  const [outcome = { reason: 'it was not read' }] = await readers.read(workspaceId, [raw], sent);
  return outcome;
}
