import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { nameServers } from '../../core/dns.ts';
import { type AccountHealth, checkHealth, outsideWith } from '../../health/index.ts';

/** Checks an account against outside servers. A module of its own, loaded on the first check: reading the last result contacts no server. */
export const checkNow = (app: App, caller: Caller, id: number): Promise<AccountHealth> =>
  checkHealth(app, caller, id, outsideWith(nameServers(app.config.nameServers)));
