import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response as ExpressResponse } from 'express';
import { toOutreachError } from './error-mapping.ts';

/** A response that is sent while it is read: text in pieces, with its media type. */
export interface Download {
  type: string;
  pieces: AsyncIterable<string>;
}

/**
 * Sends a download. What fails before the first piece is thrown, and can still be answered with its status; after that the connection is
 * cut, so that nobody takes a part for the whole, and the reason is thrown too.
 */
export async function sendDownload(res: ExpressResponse, { type, pieces }: Download): Promise<void> {
  const reader = pieces[Symbol.asyncIterator]();
  const first = await reader.next().catch((error: unknown) => {
    throw toOutreachError(error);
  });
  res.status(200).type(type);
  const rest = { [Symbol.asyncIterator]: () => reader };
  await pipeline(Readable.from(whole(first, rest)), res).catch((error: NodeJS.ErrnoException) => {
    // A client that went away is not a failure.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

async function* whole(first: IteratorResult<string>, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
