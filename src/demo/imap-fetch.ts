import { createRequire } from 'node:module';

interface Query {
  partial?: number[];
}

type Handler = (connection: unknown, message: unknown, query: Query) => unknown;

const { BODY } = createRequire(import.meta.url)('hoodiecrow-imap/lib/commands/handlers/fetch') as { BODY: Handler };

/**
 * A plugin for hoodiecrow-imap 2.1. Its own handler shortens the length in `BODY[]<0.length>` for good when a message is
 * shorter, and then returns nothing for every later message of the same FETCH.
 */
export function fetchEveryPart(server: { fetchHandlers: Record<string, Handler> }): void {
  const answer: Handler = (connection, message, query) =>
    BODY(connection, message, query.partial === undefined ? query : { ...query, partial: [...query.partial] });
  server.fetchHandlers.BODY = answer;
  server.fetchHandlers['BODY.PEEK'] = answer;
}
