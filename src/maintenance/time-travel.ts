import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemon } from '../access/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { sql } from '../db/statement.ts';
import { replaceFile } from '../files/replace-file.ts';
import { pauseGoneBack } from './pause-sending.ts';

/** The progress of the database as this machine last saw it, kept in `last-email.json` in the data directory. */
interface Mark {
  /** `history_id` of the installation. It changes with a restore, which pauses everything itself. */
  history: string;
  /** The highest id of an email that was committed. */
  email: number;
}

interface DatabaseState {
  workspace: number;
  history: string;
  /** The highest id of an email in the table; null for none. */
  email: number | null;
  /** The highest id ever assigned to an email: rows may be erased, but no id is assigned twice. */
  issued: number;
}

const INTERVAL_MILLISECONDS = 2_000;

/**
 * Detects that the database has lost emails that it had recorded: it was recovered from a dump, from a snapshot or to a point in time, or a
 * standby that lacked the last commits took over. Those emails would be sent again, so every account is paused, once for all daemons.
 */
export class TimeTravelWatch {
  readonly #app: App;
  readonly #path: string;
  #mark: Mark | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#path = join(app.config.dataDir, 'last-email.json');
    this.#mark = readMark(this.#path, app.log);
  }

  /** Compares the database with its recorded progress, and pauses everything if it has gone back. */
  async check(): Promise<void> {
    const { db, log } = this.#app;
    const [state] = await db.query<DatabaseState>(sql`
      select w.id as workspace, w.history_id as history, (select max(id) from outbox) as email, s.last_value as issued
      from workspaces w, outbox_id_seq s where w.is_default`);
    if (state === undefined) return;
    const { history } = state;
    const isKnown = this.#mark?.history === history;
    if (this.#mark !== undefined && isKnown && this.#mark.email > state.issued) {
      const paused = await pauseGoneBack(this.#app, daemon(state.workspace), history);
      const seen = { last_email: this.#mark.email, emails_now: state.issued };
      this.#mark = undefined;
      if (paused !== undefined)
        log.error(
          { ...seen, ...paused },
          'the database has gone back in time and would send emails again: every account was paused; see docs/operating.md, "A dump, a snapshot, a point in time"',
        );
      return;
    }
    const email = Math.max(state.email ?? 0, isKnown ? (this.#mark?.email ?? 0) : 0);
    if (isKnown && this.#mark?.email === email) return;
    this.#mark = { history, email };
    replaceFile(this.#path, `${JSON.stringify(this.#mark)}\n`);
  }

  /** Checks every two seconds from now on. */
  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.check()
        // An unreachable database is reported elsewhere.
        .catch((error: unknown) =>
          this.#app.log.debug({ reason: messageOf(error) }, 'could not compare the database with its recorded progress'),
        )
        .finally(() => {
          this.#running = undefined;
        });
    }, INTERVAL_MILLISECONDS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}

/** Reads the mark. Returns undefined if there is none yet, and also, with a warning, if it can't be read. */
function readMark(path: string, log: Logger): Mark | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Mark;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ path, reason: messageOf(error) }, 'unknown whether the database has gone back in time since the daemon last ran');
    return undefined;
  }
}
