import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Caller } from '../access/index.ts';
import type { Config } from '../core/config.ts';
import { invalid, tooMany } from '../core/errors.ts';
import type { Database } from '../db/database.ts';

/** The value of `Retry-After` with status 429, in seconds (RFC 9110 §10.2.3, RFC 6585 §4). */
export const RETRY_AFTER = '1';
/** From this offset on, PostgreSQL needs as long to reach a page as for a search. */
const DEEP_PAGE_OFFSET = 10_000;
const LARGE_BODY_BYTES = 256 * 1024;

const MEBIBYTE = 1024 * 1024;
/** In characters. Responses up to this size are limited only by the number of requests in flight. */
const SMALL_RESPONSE = MEBIBYTE / 16;
/** In characters. A larger response would block the event loop for too long while it is serialised as JSON. */
const MAX_RESPONSE = 32 * MEBIBYTE;
/** The share of the heap for the large responses of a workspace. Each is in memory several times: as rows, as JSON, on its way to the client. */
const RESPONSE_SHARE_OF_HEAP = 1 / 48;

/** Resolves when a response has been read, or its client has gone. */
export const closed = (res: ServerResponse): Promise<void> =>
  res.closed ? Promise.resolve() : new Promise((resolve) => void res.once('close', resolve));

/**
 * Limits what API keys have in flight in this process. Requests and streams beyond a limit are refused with `too_many_requests`; heavy
 * requests, large bodies and downloads wait for each other.
 */
export class KeyLimits {
  readonly #requests: InFlight;
  readonly #streams: InFlight;
  readonly #responses: InFlight;
  readonly #largestResponse: number;
  readonly #heavy: Turns;
  readonly #largeBodies: Turns;
  /** A download holds a database connection for as long as its client reads. */
  readonly #downloads = new Turns(1);

  /** @param heap the limit of this process's heap, in bytes */
  constructor({ limitsRequests, limitsStreams, limitsHeavyRequests }: Config, heap = getHeapStatistics().heap_size_limit) {
    this.#requests = new InFlight(limitsRequests);
    this.#streams = new InFlight(limitsStreams);
    this.#responses = new InFlight(heap * RESPONSE_SHARE_OF_HEAP);
    this.#largestResponse = Math.min(MAX_RESPONSE, heap * RESPONSE_SHARE_OF_HEAP);
    this.#heavy = new Turns(limitsHeavyRequests);
    this.#largeBodies = new Turns(limitsHeavyRequests);
  }

  /**
   * Counts requests of a key until they are over. Throws `too_many_requests`.
   * @param count the number of calls in a batch; a batch larger than the limit is accepted if nothing else is in flight
   */
  beginRequests({ apiKeyId }: Caller, over: Promise<unknown>, count = 1): void {
    const added = Math.min(count, this.#requests.most);
    if (!this.#requests.add(apiKeyId, added, over)) throw inFlight(this.#requests.of(apiKeyId), 'requests', this.#requests.most);
  }

  /** Counts a stream of a key until it is over. Throws `too_many_requests`. */
  beginStream({ apiKeyId }: Caller, over: Promise<unknown>): void {
    if (!this.#streams.add(apiKeyId, 1, over)) throw inFlight(this.#streams.of(apiKeyId), 'streams', this.#streams.most);
  }

  /**
   * Returns the database for one request. What its statements read counts towards the large responses of the workspace until `over` settles:
   * a page of 200 records can have 400 MB, and a client may read it slowly. A statement fails with `invalid_request` when the
   * response becomes too large, and with `too_many_requests` when there are too many.
   */
  database(db: Database, { workspaceId }: Caller, over: Promise<unknown>): Database {
    let size = 0;
    let counted = SMALL_RESPONSE;
    const countCharacters = (characters: number) => {
      size += characters;
      if (size > this.#largestResponse)
        throw invalid(
          `the answer is larger than ${Math.floor(this.#largestResponse / MEBIBYTE)} MiB; ask for less at a time, such as a smaller "limit"`,
        );
      // Counted in steps, because a response has many values.
      if (size <= counted) return;
      const added = size - counted + SMALL_RESPONSE;
      if (!this.#responses.add(workspaceId, added, over))
        throw tooMany('too many large answers are under way; wait until some have been read to their end');
      counted += added;
    };
    return db.forRequests({ workspaceId, countCharacters });
  }

  /** Waits until a heavy request of the key may run, and holds its turn until it is over. */
  heavy({ apiKeyId }: Caller, over: Promise<unknown>): Promise<void> {
    return this.#heavy.take(apiKeyId, over);
  }

  /** Waits until a large body of the key may be read, and holds its turn until its request is over. */
  largeBody({ apiKeyId }: Caller, over: Promise<unknown>): Promise<void> {
    return this.#largeBodies.take(apiKeyId, over);
  }

  /** Yields the pieces of a download once no other download of the workspace is being sent. */
  async *download<Piece>({ workspaceId }: Caller, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    const sent = Promise.withResolvers<void>();
    await this.#downloads.take(workspaceId, sent.promise);
    try {
      yield* pieces;
    } finally {
      sent.resolve();
    }
  }
}

const inFlight = (count: number, what: string, most: number) =>
  tooMany(`this key has ${count} ${what} in flight, of at most ${most}; wait until some have ended`);

/** Counts what each owner has in flight. */
class InFlight {
  readonly most: number;
  readonly #counts = new Map<number | null, number>();

  constructor(most: number) {
    this.most = most;
  }

  of(owner: number | null): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** Adds `count` until `over` settles. Returns false if that would exceed the limit. */
  add(owner: number | null, count: number, over: Promise<unknown>): boolean {
    if (this.of(owner) + count > this.most) return false;
    this.#counts.set(owner, this.of(owner) + count);
    void over.then(() => {
      const left = this.of(owner) - count;
      if (left > 0) this.#counts.set(owner, left);
      else this.#counts.delete(owner);
    });
    return true;
  }
}

/** Limits how many requests of each owner run at the same time; the others wait for their turn. */
class Turns {
  readonly #most: number;
  readonly #limits = new Map<number | null, LimitFunction>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when the request may run. @param over settles when it has ended */
  take(owner: number | null, over: Promise<unknown>): Promise<void> {
    const limit = this.#limits.get(owner) ?? pLimit(this.#most);
    this.#limits.set(owner, limit);
    return new Promise((resolve) => {
      void limit(() => {
        resolve();
        return over;
      });
    });
  }
}

/** True for a page so far down a list that reaching it takes long. @param input the fields of a request, as text or number */
export const isFarPage = (input: object): boolean => 'offset' in input && Number(input.offset) >= DEEP_PAGE_OFFSET;

/** True for a body that is large, or may be: compressed, or of unknown length. */
export function hasLargeBody(headers: IncomingHttpHeaders): boolean {
  const isCompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  return isCompressed || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
}
