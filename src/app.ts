import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db.ts';
import type { Logger } from './log.ts';
import type { Random } from './random.ts';
import type { Sealer } from './seal.ts';

/** What every room is given: the database and the injected sources of time, chance, secrets and settings. */
export interface App {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly sealer: Sealer;
  readonly log: Logger;
}
