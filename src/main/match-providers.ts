import type { App } from '../app.ts';
import { rematchHeld } from '../campaigns/index.ts';
import { lookUpProviders, type MailLookups } from '../mail-domains/index.ts';

/** Looks up the providers of requested domains, and continues with the contacts that were waiting for them. */
export async function matchProviders(app: App, dns: MailLookups): Promise<void> {
  if (await lookUpProviders(app, dns)) await rematchHeld(app);
}
