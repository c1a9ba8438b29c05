import type { ImapFlow } from 'imapflow';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import { checkMailbox, LOGIN_SECONDS } from '../mail/check-login.ts';
import type { MailServer } from '../mail/mail-url.ts';
import { seedAt } from '../mail/seed-url.ts';
import { SEALED } from '../secrets/sealed-columns.ts';
import { reachable } from './connect-request.ts';
import { connectMailbox, imapLogin, type MailboxOptions } from './credentials.ts';

/**
 * A mailbox that is not an account here, given by its IMAP access: it gets one email of a placement test. Contains a password: never log
 * it.
 */
export interface Seed {
  email: string;
  server: MailServer;
  pass: string;
}

/** A seed whose email has not been found yet. */
export interface WaitingSeed extends Seed {
  message_id: string;
}

/** The IMAP access to a seed in a request. */
export interface SeedRequest {
  /** `imap[s]://USER@HOST[:PORT]`, whose user is the address of the mailbox. */
  imap_url: string;
  imap_password: string;
}

/** Checks the access to seeds under the rules of connecting an account. Throws `invalid_request` and `forbidden` like `connectInput`. */
export const checkedSeeds = (app: App, caller: Caller, requests: readonly SeedRequest[]): Promise<Seed[]> =>
  Promise.all(
    requests.map(async ({ imap_url, imap_password: pass }, index): Promise<Seed> => {
      const field = `seeds[${index}].imap_url`;
      const { email, server } = seedAt(imap_url, field);
      return { email, pass, server: (await reachable(app, caller, field, { server, password: undefined })).server };
    }),
  );

/** Logs in to each seed. Throws `conflict` with the messages of the servers that refuse the login. */
export async function requireOpenSeeds(app: App, seeds: readonly Seed[], seconds = LOGIN_SECONDS): Promise<void> {
  const logins = await Promise.all(seeds.map(({ server, pass }) => checkMailbox(imapLogin(app, server, { pass }), [], seconds)));
  const serverSaid = logins.flatMap(({ problem }) => problem ?? []).join(' | ');
  if (serverSaid !== '') throw conflict(`nothing was sent: ${serverSaid}`, { serverSaid });
}

/** Connects to the mailbox of a seed. Throws imapflow's errors. */
export const openSeed = (app: App, { server, pass }: Seed, options: MailboxOptions): Promise<ImapFlow> =>
  connectMailbox(imapLogin(app, server, { pass }), options);

/** Seals the seeds of an account together with their servers, so that a changed row can't send a password elsewhere. Null for none. */
export const sealSeeds = (app: Pick<App, 'sealer'>, accountId: number, seeds: readonly WaitingSeed[]): string | null =>
  seeds.length === 0 ? null : app.sealer.seal(JSON.stringify(seeds), SEALED.placementSecret.place(accountId));

/** Opens the seeds of an account. Returns none if they were sealed with a key that no longer exists: seeds are kept only for minutes. */
export function unsealSeeds(app: Pick<App, 'sealer'>, accountId: number, sealed: string | null): WaitingSeed[] {
  if (sealed === null) return [];
  try {
    return JSON.parse(app.sealer.open(sealed, SEALED.placementSecret.place(accountId))) as WaitingSeed[];
  } catch {
    return [];
  }
}
