import { createRequire } from 'node:module';

interface Query {
  partial?: number[];
}

type Handler = (connection: unknown, message: unknown, query: Query) => unknown;

const { BODY } = createRequire(import.meta.url)('hoodiecrow-imap/lib/commands/handlers/fetch') as { BODY: Handler };

/**
 * A plugin of hoodiecrow-imap 2.1: its own handler takes the length of `BODY[]<0.length>` off the question when a message
 * is shorter, and so answers every later message of one FETCH with nothing.
 */
export function fetchEveryPart(server: { fetchHandlers: Record<string, Handler> }): void {
  const answer: Handler = (connection, message, query) =>
    BODY(connection, message, query.partial === undefined ? query : { ...query, partial: [...query.partial] });
  server.fetchHandlers.BODY = answer;
  server.fetchHandlers['BODY.PEEK'] = answer;
}
