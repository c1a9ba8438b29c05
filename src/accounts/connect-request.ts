import { type Caller, isAdmin, listUsers, requireAdmin } from '../access/index.ts';
import type { App } from '../app.ts';
import { isSameAddress } from '../core/email-address.ts';
import { forbidden, invalid, messageOf } from '../core/errors.ts';
import { NotPublic, publicAddresses } from '../core/network.ts';
import { type MailServer, type MailUrl, parseMailUrl } from '../mail/mail-url.ts';
import { loadSignIn, type OAuthProvider } from '../oauth/index.ts';
import { type ConnectInput, checkConnect } from './connect-account.ts';
import { presetServers } from './providers.ts';
import type { AccountSettings } from './settings/account-settings.ts';
import type { Provider } from './words.ts';

/** A request to connect an account, as a client makes it. */
export interface ConnectRequest {
  email: string;
  provider: Provider;
  /** `smtp[s]://USER[:PASS]@HOST:PORT`; by default the provider's own server. */
  smtp_url?: string | undefined;
  smtp_password?: string | undefined;
  imap_url?: string | undefined;
  /** By default the SMTP password, if the user is the same. */
  imap_password?: string | undefined;
  /** A completed sign-in at google or microsoft, which makes a password unnecessary. */
  sign_in?: { answer: string; port: number; state: string; verifier: string } | undefined;
  /** The address of the member who will own it; by default the caller. For admins. */
  owner?: string | undefined;
  settings?: Partial<AccountSettings> | undefined;
}

/** Returns the servers that a request names, or its provider's own. Throws `invalid_request` naming the field. */
export function serversOf({ email, provider, smtp_url, imap_url }: ConnectRequest): { smtp: MailUrl; imap: MailUrl | undefined } {
  const preset = presetServers(provider, email.trim());
  const own = (server: MailServer | undefined) => (server === undefined ? undefined : { server, password: undefined });
  const smtp = smtp_url === undefined ? own(preset?.smtp) : parseMailUrl(smtp_url, 'smtp', 'smtp_url');
  const imap = imap_url === undefined ? own(preset?.imap) : parseMailUrl(imap_url, 'imap', 'imap_url');
  if (smtp === undefined) throw invalid('smtp_url: is required, for example smtps://USER@smtp.example.com');
  return { smtp, imap };
}

/**
 * Checks a request and completes its sign-in. Throws `invalid_request` naming the field, `forbidden` for an owner that the caller may not
 * choose, and `conflict` with the provider's message.
 */
export async function connectInput(app: App, caller: Caller, request: ConnectRequest): Promise<ConnectInput> {
  const { email, provider, sign_in: signIn, settings } = request;
  checkConnect({ email, ...(settings === undefined ? {} : { settings }) });
  const { smtp, imap } = serversOf(request);
  const servers = { smtp: await reachable(app, caller, 'smtp_url', smtp), imap: imap && (await reachable(app, caller, 'imap_url', imap)) };
  const owner = request.owner === undefined ? {} : { ownerId: await ownerOf(app, caller, request.owner) };
  const common = { email, provider, ...owner, ...(settings === undefined ? {} : { settings }) };
  if (signIn === undefined) return { ...common, ...withPasswords(servers, request) };
  if (provider === 'smtp') throw invalid('sign_in: is for the providers google and microsoft');
  const { finishSignIn } = await loadSignIn();
  const tokens = await finishSignIn(app, provider satisfies OAuthProvider, { ...signIn, answer: answerOf(signIn.answer) });
  const access = {
    smtp: { server: servers.smtp.server, secret: {} },
    ...(servers.imap === undefined ? {} : { imap: { server: servers.imap.server, secret: {} } }),
  };
  return { ...common, ...access, tokens };
}

function answerOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw invalid('sign_in.answer: must be the URL that the provider redirected to');
  return url;
}

function withPasswords({ smtp, imap }: ReturnType<typeof serversOf>, request: ConnectRequest): Pick<ConnectInput, 'smtp' | 'imap'> {
  const pass = request.smtp_password ?? smtp.password;
  if (smtp.server.user !== null && pass === undefined) throw invalid('smtp_password: is required');
  const access = { smtp: { server: smtp.server, secret: pass === undefined ? {} : { pass } } };
  if (imap === undefined) return access;
  const imapPass = request.imap_password ?? imap.password ?? (imap.server.user === smtp.server.user ? pass : undefined);
  if (imapPass === undefined) throw invalid('imap_password: is required, because the users of the two servers differ');
  return { ...access, imap: { server: imap.server, secret: { pass: imapPass } } };
}

/**
 * Returns the server, marked as private if it is in a private network. Throws `forbidden` for a server without TLS, unless the caller is an
 * admin. Throws `invalid_request` for a private server, or one that the name servers don't know, unless the caller is an admin of the
 * installation: its tenants must not see what such a server answers. A name may resolve differently later, so every connection checks it
 * again (`endpoint` in credentials.ts).
 */
export async function reachable({ network }: App, caller: Caller, field: string, url: MailUrl): Promise<MailUrl> {
  const { host, tls } = url.server;
  const problem = await publicAddresses(network, host).then(
    () => null,
    (error: unknown) => error,
  );
  if (problem !== null && !caller.isInstallAdmin)
    throw invalid(
      problem instanceof NotPublic
        ? `${field}: ${host} is not on the public internet; only an admin of the default workspace may connect to it`
        : `${field}: ${messageOf(problem)}; check its spelling, or try again later`,
    );
  if (tls === 'off' && !isAdmin(caller)) throw forbidden(`${field}: only an admin may connect to a server without TLS`);
  return problem === null ? url : { ...url, server: { ...url.server, private: true } };
}

async function ownerOf(app: App, caller: Caller, email: string): Promise<number> {
  requireAdmin(caller);
  const owner = (await listUsers(app.db, caller)).find((user) => isSameAddress(user.email, email));
  if (owner === undefined) throw invalid('owner: must be a member of this workspace; to add them, run: outreach user create');
  return owner.id;
}
