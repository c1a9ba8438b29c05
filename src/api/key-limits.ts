import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../access/index.ts';
import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { tooMany } from '../core/errors.ts';
import { FairTurns, type Owner } from '../core/fair-turns.ts';
import type { Database } from '../db/database.ts';
import { AnswerLimits } from './answer-limits.ts';
import type { Holding } from './holding.ts';

/** The value of `Retry-After` with status 429, in seconds (RFC 9110 §10.2.3, RFC 6585 §4). */
export const RETRY_AFTER = '1';
/** Rows before a page from which on PostgreSQL reads for as long as a search takes. */
const FAR = 10_000;
const LARGE_BODY_BYTES = 256 * 1024;
const PATIENCE = 10 * SECOND;

/** Whose requests a caller's are: a key in its workspace. */
const ownerOf = ({ workspaceId, apiKeyId }: Caller): Owner => ({ group: workspaceId, member: apiKeyId });

/**
 * Limits what the keys of one process have in flight. Requests and streams beyond a limit are refused with `too_many_requests`; heavy
 * requests wait for their turn, at most ten seconds.
 */
export class KeyLimits {
  readonly requests: InFlight;
  readonly streams: InFlight;
  readonly #answers = new AnswerLimits();
  readonly #heavy: FairTurns;
  /** Each holds a connection for as long as its reader takes. */
  readonly #downloads = new FairTurns({ all: 2, group: 1, member: 1 }, PATIENCE);

  constructor({ limitsRequests, limitsStreams, limitsHeavyRequests: heavy }: Config) {
    this.requests = new InFlight(limitsRequests, 'requests');
    this.streams = new InFlight(limitsStreams, 'streams');
    this.#heavy = new FairTurns({ all: 4 * heavy, group: 2 * heavy, member: heavy }, PATIENCE);
  }

  /** The database for one request: its statements take turns with those of others, and what it reads takes room until it is sent. */
  database(db: Database, caller: Caller, holding: Holding): Database {
    const owner = ownerOf(caller);
    const room = this.#answers.open(owner);
    holding.add(room.giveBack);
    return db.sharedBy(owner, room.take);
  }

  /** Waits for a turn to handle a heavy request of the caller and returns the function that ends it. Throws `too_many_requests`. */
  heavy(caller: Caller): Promise<() => void> {
    return this.#heavy.take(ownerOf(caller));
  }

  /** Waits for a turn to send a download of the caller, which ends with its pieces. Throws `too_many_requests`. */
  async *download<Piece>(caller: Caller, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    const end = await this.#downloads.take(ownerOf(caller));
    try {
      yield* pieces;
    } finally {
      end();
    }
  }
}

/** Counts what each key has in flight. */
class InFlight {
  readonly #most: number;
  readonly #what: string;
  readonly #counts = new Map<number | null, number>();

  constructor(most: number, what: string) {
    this.#most = most;
    this.#what = what;
  }

  /**
   * Adds requests, or as many as may be in flight if that is fewer: a large batch may come alone. Throws `too_many_requests`.
   * @returns the function that takes them off again, to be called once
   */
  begin({ apiKeyId }: Caller, count = 1): () => void {
    const before = this.#counts.get(apiKeyId) ?? 0;
    const added = Math.min(count, this.#most);
    if (before + added > this.#most)
      throw tooMany(`this key has ${before} ${this.#what} in flight, of at most ${this.#most}; wait until some have ended`);
    this.#counts.set(apiKeyId, before + added);
    return () => {
      const left = (this.#counts.get(apiKeyId) ?? 0) - added;
      if (left > 0) this.#counts.set(apiKeyId, left);
      else this.#counts.delete(apiKeyId);
    };
  }
}

/** True for a page so far into a list that reading up to it takes long. @param input the fields of a request, as text or number */
export const isFarPage = (input: object): boolean => 'offset' in input && Number(input.offset) >= FAR;

/** True for a body that is large, or may be: compressed, or of unknown length. */
export function hasLargeBody(headers: IncomingHttpHeaders): boolean {
  const isCompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  return isCompressed || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
}
