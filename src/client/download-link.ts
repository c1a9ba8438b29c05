import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../api/routers/index.ts';
import { conflict, messageOf } from '../core/errors.ts';
import { request } from './http-fetch.ts';

/** The paths under /api/v1 of the procedures that stream text, which /trpc can't return as a plain response. */
const DOWNLOADS: Readonly<Record<string, string>> = { 'search.export': '/contacts/export' };

/** True for a call that `downloadLink` sends. */
export const isDownload = ({ path }: { path: string }): boolean => Object.hasOwn(DOWNLOADS, path);

/** Sends the calls for which `isDownload` is true. The result yields the text in pieces as they arrive. */
export const downloadLink =
  ({ url, key }: { url: string; key: string }): TRPCLink<AppRouter> =>
  () =>
  ({ op: { path, input, signal } }) =>
    observable((observer) => {
      const address = new URL(`${url}/api/v1${DOWNLOADS[path]}`);
      for (const [name, value] of Object.entries(input as object)) if (value !== undefined) address.searchParams.set(name, String(value));
      request(address, { headers: { authorization: `Bearer ${key}` }, signal })
        .then(async (response) => {
          if (response.statusCode !== 200) throw await refusalIn(response);
          observer.next({ result: { type: 'data', data: piecesOf(response.setEncoding('utf8')) } });
          observer.complete();
        })
        .catch((error: Error) => observer.error(TRPCClientError.from(error)));
    });

/** Returns the error in a response of /api/v1 in the form of /trpc. */
async function refusalIn(response: IncomingMessage): Promise<Error> {
  const { error } = (await json(response)) as { error: { code: string; message: string } };
  return TRPCClientError.from({ error: { code: -32_600, message: error.message, data: { error: error.code } } });
}

async function* piecesOf(response: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* response;
  } catch (error) {
    throw conflict(`the response broke off (${messageOf(error)}); run the command again`);
  }
}
