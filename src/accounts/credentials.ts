import { hostname } from 'node:os';
import type { ImapFlow } from 'imapflow';
import type { App } from '../app.ts';
import type { Deadline } from '../core/deadline.ts';
import { notFound } from '../core/errors.ts';
import { publicLookup } from '../core/network.ts';
import { prepared, sql } from '../db/statement.ts';
import { type ImapLogin, type ImapTimings, imapClient } from '../mail/imap-client.ts';
import type { MailServer } from '../mail/mail-url.ts';
import { scrubbed } from '../mail/scrub.ts';
import { type Outcome, type SmtpLogin, type SmtpOptions, SmtpSession } from '../mail/smtp-session.ts';
import { accessToken } from './access-token.ts';
import { type MailSecret, openImapSecret, openSmtpSecret } from './secret.ts';
import type { Provider } from './words.ts';

/** Combines a stored server and its opened secret into a login. Never log it. */
export function smtpLogin(app: Outside & Pick<App, 'config'>, server: MailServer, secret: MailSecret): SmtpLogin {
  const { user } = server;
  return { ...endpoint(app, server), user, name: ehloName(app.config.baseUrl), ...credentialsOf(secret) };
}

export const imapLogin = (app: Outside, server: MailServer, secret: MailSecret): ImapLogin => ({
  ...endpoint(app, server),
  user: server.user ?? '',
  ...credentialsOf(secret),
});

type Outside = Pick<App, 'network'>;

/**
 * The endpoint to connect to. Every connection is limited to public addresses, unless an admin of the installation has connected a private
 * server.
 */
function endpoint({ network }: Outside, { host, port, secure, tls, private: isPrivate }: MailServer) {
  const lookup = isPrivate ? {} : { lookup: publicLookup(network) };
  return { host, port, secure, requireTLS: !secure && tls === 'required', ...lookup };
}

/** Returns the credentials for a server: password or access token. The refresh token is only for the provider. */
const credentialsOf = ({ pass, accessToken: token }: MailSecret) =>
  token === undefined ? (pass === undefined ? {} : { pass }) : { accessToken: token };

interface CredentialRow {
  id: number;
  provider: Provider;
  smtp: MailServer;
  smtp_secret: string;
  imap: MailServer | null;
  imap_secret: string | null;
  has_tokens: boolean;
}

async function readCredentials(app: App, accountId: number): Promise<CredentialRow> {
  const found = sql`
    select id, provider, smtp, smtp_secret, imap, imap_secret, token_expires_at is not null as has_tokens
    from accounts where id = ${accountId} and deleted_at is null`;
  const [row] = await app.db.query<CredentialRow>(prepared('credentials', found));
  if (row === undefined) throw notFound('account');
  return row;
}

/**
 * Reads the login of an account's SMTP server, with the secret decrypted: never log it. Throws `not_found`, `conflict` if
 * the secret can't be decrypted, and `TokenRefused` or `TokenUnavailable` if the provider issues no access token.
 * @param refused an access token that the server has refused
 */
export async function openSmtp(app: App, accountId: number, refused?: string): Promise<SmtpLogin> {
  const row = await readCredentials(app, accountId);
  // Opened for tokens, too: if it opens, the server is the one that was connected.
  const stored = openSmtpSecret(app, { ...row, server: row.smtp }, row.smtp_secret);
  const secret = row.has_tokens ? { accessToken: await accessToken(app, accountId, refused) } : stored;
  return smtpLogin(app, row.smtp, secret);
}

/** Reads the login of an account's IMAP server, null if it has none. Otherwise like `openSmtp`. */
export async function openImap(app: App, accountId: number, refused?: string): Promise<ImapLogin | null> {
  const row = await readCredentials(app, accountId);
  if (row.imap === null || row.imap_secret === null) return null;
  const stored = openImapSecret(app, { ...row, server: row.imap }, row.imap_secret);
  const secret = row.has_tokens ? { accessToken: await accessToken(app, accountId, refused) } : stored;
  return imapLogin(app, row.imap, secret);
}

/**
 * Connects and logs in to the account's SMTP server. Returns the session, or the outcome of the failed attempt. An access
 * token that the server refuses before it has expired is renewed once. Throws like `openSmtp`.
 */
export async function openSmtpSession(app: App, accountId: number, options: Partial<SmtpOptions> = {}): Promise<SmtpSession | Outcome> {
  const login = await openSmtp(app, accountId);
  const opened = await SmtpSession.open(login, options);
  const isTokenRefused = login.accessToken !== undefined && 'phase' in opened && opened.kind === 'refused' && opened.phase === 'auth';
  return isTokenRefused ? SmtpSession.open(await openSmtp(app, accountId, login.accessToken), options) : opened;
}

/** At the work's `deadline`, the connection is closed. */
export type MailboxOptions = ImapTimings & { deadline?: Deadline | undefined };

/** Connects to the account's mailbox; null without IMAP. Throws like `openImap`, and imapflow's errors if connecting fails. */
export async function openMailbox(app: App, accountId: number, options: MailboxOptions = {}): Promise<ImapFlow | null> {
  const login = await openImap(app, accountId);
  if (login === null) return null;
  try {
    return await connectMailbox(login, options);
  } catch (error) {
    if (login.accessToken === undefined || (error as { authenticationFailed?: boolean }).authenticationFailed !== true) throw error;
    const renewed = await openImap(app, accountId, login.accessToken);
    return renewed === null ? null : connectMailbox(renewed, options);
  }
}

/** Connects and logs in to an IMAP server. Throws imapflow's errors, without the secret, which some servers repeat. */
export async function connectMailbox(login: ImapLogin, { deadline, ...timings }: MailboxOptions): Promise<ImapFlow> {
  const client = await imapClient(login, timings);
  deadline?.closes(client);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw scrubbed(error, login);
  }
}

/** Returns the name for EHLO: a fully qualified domain name if we have one, otherwise an address literal (RFC 5321 §4.1.4). */
function ehloName(baseUrl: string): string {
  const names = [new URL(baseUrl).hostname, hostname()];
  return names.find((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/i.test(name)) ?? '[127.0.0.1]';
}
