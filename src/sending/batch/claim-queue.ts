import type { App } from '../../app.ts';
import { sqlState } from '../../core/errors.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { type ClaimedEmail, type ClaimRequest, claimEmails, claimTogether } from '../email/claim.ts';
import { isRefusal } from './retry-write.ts';

/** Emails that one transaction claims; larger batches are claimed in chunks, so that memory stays flat. */
export const CLAIM_SIZE = 100;

/**
 * Claims emails in groups without waiting for a group to fill, like the permit queue: requests of different accounts that come while
 * one group is claimed share the next transactions. A request of a campaign with limits for a day has one of its own, since it
 * waits for whoever counts them.
 */
export class ClaimQueue {
  readonly #app: App;
  readonly #batcher = new MicroBatcher<ClaimRequest, ClaimedEmail[]>({
    work: async (requests) => {
      const claims = chunksOf(requests).flatMap((chunk) => {
        const claimed = this.#claim(chunk);
        return chunk.map(async (_, index) => (await claimed)[index] ?? []);
      });
      await Promise.allSettled(claims);
      return claims;
    },
    onePer: ({ account }) => account.id,
  });

  constructor(app: App) {
    this.#app = app;
  }

  /** Claims the emails of a request, see `claimEmails`. */
  claim(request: ClaimRequest): Promise<ClaimedEmail[]> {
    return request.share.isLimited ? claimEmails(this.#app, request) : this.#batcher.add(request);
  }

  /** Claims for a chunk. If it fails for one of its emails, the accounts of the others still get theirs. */
  async #claim(requests: readonly ClaimRequest[]): Promise<(ClaimedEmail[] | Promise<ClaimedEmail[]>)[]> {
    try {
      return await claimTogether(this.#app, requests);
    } catch (error) {
      if (requests.length === 1 || !isOfOneEmail(error)) throw error;
      return requests.map((request) => claimEmails(this.#app, request));
    }
  }
}

/** Divides requests, in their order, into chunks of `CLAIM_SIZE` emails at most, or of one request. */
function chunksOf(requests: readonly ClaimRequest[]): ClaimRequest[][] {
  const chunks: ClaimRequest[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    size += request.share.count;
    if (size > CLAIM_SIZE) {
      chunks.push([]);
      size = request.share.count;
    }
    chunks.at(-1)?.push(request);
  }
  return chunks;
}

/** True for errors that say that nothing was claimed, and that one email may have caused: rejections, deadlocks (40), lock timeouts (55). */
const isOfOneEmail = (error: unknown) => isRefusal(error) || /^(40|55)/.test(sqlState(error) ?? '');
