import type { Clock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import type { Logger } from './core/log.ts';
import type { Network } from './core/network.ts';
import type { Random } from './core/random.ts';
import type { Database } from './db/database.ts';
import type { Sealer } from './secrets/seal.ts';

/** The dependencies that every folder is given: settings, database, clock, randomness, encryption, log, and the way to outside servers. */
export interface App {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly network: Network;
}
