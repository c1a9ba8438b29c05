import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response as ExpressResponse } from 'express';
import { toOutreachError } from './error-mapping.ts';

/** A response that is streamed: text in pieces, with its media type. */
export interface Download {
  type: string;
  pieces: AsyncIterable<string>;
}

/**
 * Sends a download. Throws errors that occur before the first piece, when the response can still have an error status. A later error is thrown
 * too, and cuts the connection so that the client does not take a part for the whole.
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
