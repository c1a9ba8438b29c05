import type { App } from '../app.ts';
import type { Logger } from '../core/log.ts';
import type { Database } from '../db/database.ts';

/**
 * The app as one request sees it: with its share of the database, and a log whose lines carry the request's id. Most requests log nothing,
 * and making such a log takes 10 µs, a sixteenth of looking up a contact, so it is made when it is first used.
 */
export function requestApp(app: App, db: Database, requestId: string): App {
  let log: Logger | undefined;
  return {
    ...app,
    db,
    get log() {
      log ??= app.log.child({ request_id: requestId });
      return log;
    },
  };
}
