import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { nameServers } from '../../core/dns.ts';
import { type AccountHealth, checkHealth, outsideWith } from '../../health/index.ts';

/** Checks an account against the servers outside. A module of its own, loaded with the first check: whoever reads the last one asks nobody. */
export const checkNow = (app: App, caller: Caller, id: number): Promise<AccountHealth> =>
  checkHealth(app, caller, id, outsideWith(nameServers(app.config.nameServers)));
