import { getHeapStatistics } from 'node:v8';
import { invalid, tooMany } from '../core/errors.ts';
import type { Owner } from '../core/fair-turns.ts';

const MEBIBYTE = 1024 * 1024;
/** Answers up to here need no room of their own: the limit of requests in flight bounds them. */
const FREE = MEBIBYTE / 16;
/** A larger answer would keep the event loop busy for too long while it is written as JSON. */
const MOST = 32 * MEBIBYTE;
/** An answer is in memory several times: as rows, as JSON, on its way to the client. */
const PART_OF_HEAP = 24;

/** Takes room for more of an answer, in characters of what the database gave. Throws `invalid_request` or `too_many_requests`. */
export interface AnswerRoom {
  take(characters: number): void;
  giveBack(): void;
}

/**
 * Limits what the answers of one process hold in memory until they are sent: of one answer, of a group, of all together. A page of 200
 * records can be 400 MB large, and a client may take its time to read it.
 */
export class AnswerLimits {
  readonly #all: number;
  readonly #group: number;
  readonly #groups = new Map<unknown, number>();
  #held = 0;

  /** @param heap the limit of this process's heap, in bytes */
  constructor(heap = getHeapStatistics().heap_size_limit) {
    this.#all = heap / PART_OF_HEAP;
    this.#group = this.#all / 2;
  }

  /** Opens the room of one answer. What was taken is held until it is given back. */
  open({ group }: Owner): AnswerRoom {
    let size = 0;
    let held = 0;
    return {
      take: (characters) => {
        size += characters;
        if (size <= FREE) return;
        const more = size - held;
        this.#check(group, size, more);
        this.#add(group, more);
        held = size;
      },
      giveBack: () => {
        this.#add(group, -held);
        held = 0;
      },
    };
  }

  #check(group: unknown, size: number, more: number): void {
    const most = Math.min(MOST, this.#group);
    if (size > most)
      throw invalid(`the answer is larger than ${Math.floor(most / MEBIBYTE)} MiB; ask for less at a time, such as a smaller "limit"`);
    if (this.#held + more > this.#all || (this.#groups.get(group) ?? 0) + more > this.#group)
      throw tooMany('too many large answers are under way; wait until some have been read to their end');
  }

  #add(group: unknown, characters: number): void {
    this.#held += characters;
    const left = (this.#groups.get(group) ?? 0) + characters;
    if (left > 0) this.#groups.set(group, left);
    else this.#groups.delete(group);
  }
}
