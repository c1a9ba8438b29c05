import type { App } from '../app.ts';
import type { Logger } from '../core/log.ts';
import type { Database } from '../db/database.ts';

/**
 * Returns the app for one request: with the request's database, and a log whose lines have the request's id. Most requests log nothing, and
 * creating the log takes 10 µs, a sixteenth of a contact lookup, so it is created on first use.
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
