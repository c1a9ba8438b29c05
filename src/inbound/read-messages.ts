import type { ImapFlow } from 'imapflow';
import type { App } from '../app.ts';
import { MINUTE } from '../core/clock.ts';
import { FairTurns, type Owner } from '../core/fair-turns.ts';
import { BEGINNING_BYTES, MessageReaders, type Outcome } from '../mail/classify/index.ts';
import type { Found } from './apply.ts';
import { fetchWhole, isCut } from './mailbox.ts';
import { countTry, forgetTries } from './tries.ts';

/** The readers of all mailboxes of this process. */
export const sharedReaders = new MessageReaders();
/** Large messages in memory at once, in all mailboxes. */
const largeTurns = new FairTurns({ all: 4, group: 3, member: 1 }, 5 * MINUTE);
/** Tries at a large message: the first reads all of it, the second its beginning. */
const MOST_TRIES = 2;

const ownerOf = ({ workspaceId, accountId }: Found): Owner => ({ group: workspaceId, member: accountId });

/**
 * Reads messages of one mailbox and yields an outcome for each, in their order. Small ones are read together. A large one was fetched
 * up to its beginning; the rest is fetched when its turn comes, and its tries are counted.
 */
export async function* readMessages(
  app: App,
  client: ImapFlow,
  readers: MessageReaders,
  all: readonly Found[],
): AsyncGenerator<[Found, Outcome]> {
  const [first] = all;
  if (first === undefined) return;
  const small = all.filter(({ message }) => !isCut(message));
  const outcomes = await readers.read(
    ownerOf(first),
    small.map(({ message }) => message.raw),
  );
  const read = new Map(small.map((found, index) => [found, outcomes[index]]));
  for (const found of all) {
    const outcome = read.get(found);
    if (outcome !== undefined) yield [found, outcome];
    else yield* readLarge(app, client, readers, found);
  }
}

async function* readLarge(app: App, client: ImapFlow, readers: MessageReaders, found: Found): AsyncGenerator<[Found, Outcome]> {
  const end = await largeTurns.take(ownerOf(found));
  try {
    // Left behind only by a process that was killed.
    const tries = await countTry(app, found);
    try {
      yield [found, await readAtTry(client, readers, found, tries)];
    } finally {
      await forgetTries(app, found);
    }
  } finally {
    end();
  }
}

async function readAtTry(client: ImapFlow, readers: MessageReaders, found: Found, tries: number): Promise<Outcome> {
  const reason = `the daemon was killed ${tries === 2 ? 'once' : 'more than once'} while it read all of it`;
  if (tries > MOST_TRIES) return { reason };
  const raw = tries === 1 ? await fetchWhole(client, found.message) : found.message.raw.subarray(0, BEGINNING_BYTES);
  const [outcome = { reason: 'it was not read' }] = await readers.read(ownerOf(found), [raw]);
  return tries === 1 ? outcome : { ...outcome, reason };
}
