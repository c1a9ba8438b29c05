import { hostname } from 'node:os';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { sql } from '../db.ts';
import { conflict, messageOf, notFound } from '../errors.ts';
import type { ImapLogin } from './imap-client.ts';
import type { MailServer } from './mail-url.ts';
import type { SmtpLogin } from './smtp-session.ts';

/** What an account proves itself with; stored sealed, as JSON. */
export interface MailSecret {
  pass?: string;
  /** OAuth 2.0 access token, taken instead of a password. */
  accessToken?: string;
}

type SecretColumn = 'smtp_secret' | 'imap_secret';

const placeOf = (column: SecretColumn, accountId: number) => `accounts.${column}:${accountId}`;

/** Seals a secret for the one row and column that it is stored in. */
export const sealSecret = (app: Pick<App, 'sealer'>, column: SecretColumn, accountId: number, secret: MailSecret): string =>
  app.sealer.seal(JSON.stringify(secret), placeOf(column, accountId));

function openSecret(app: Pick<App, 'sealer'>, column: SecretColumn, accountId: number, sealed: string): MailSecret {
  try {
    return JSON.parse(app.sealer.open(sealed, placeOf(column, accountId))) as MailSecret;
  } catch (error) {
    throw conflict(`the credentials of account ${accountId} can't be opened: ${messageOf(error)}`);
  }
}

/** How to log in to a server; the one place where a stored server and an opened secret meet. */
export function smtpLogin(config: Config, server: MailServer, secret: MailSecret): SmtpLogin {
  const { host, port, secure, user } = server;
  return { host, port, secure, requireTLS: !secure && server.tls === 'required', user, name: ehloName(config.baseUrl), ...secret };
}

export function imapLogin(server: MailServer, secret: MailSecret): ImapLogin {
  const { host, port, secure, user } = server;
  return { host, port, secure, requireTLS: !secure && server.tls === 'required', user: user ?? '', ...secret };
}

/** The login of an account's SMTP server, unsealed: never log it. Throws `not_found`, and `conflict` when the seal can't be opened. */
export async function openSmtp(app: App, accountId: number): Promise<SmtpLogin> {
  const [row] = await app.db.query<{ smtp: MailServer; smtp_secret: string }>(
    sql`select smtp, smtp_secret from accounts where id = ${accountId} and deleted_at is null`,
  );
  if (row === undefined) throw notFound('account');
  return smtpLogin(app.config, row.smtp, openSecret(app, 'smtp_secret', accountId, row.smtp_secret));
}

/** The login of an account's IMAP server, or null when it has none. Throws like `openSmtp`. */
export async function openImap(app: App, accountId: number): Promise<ImapLogin | null> {
  const [row] = await app.db.query<{ imap: MailServer | null; imap_secret: string | null }>(
    sql`select imap, imap_secret from accounts where id = ${accountId} and deleted_at is null`,
  );
  if (row === undefined) throw notFound('account');
  if (row.imap === null || row.imap_secret === null) return null;
  return imapLogin(row.imap, openSecret(app, 'imap_secret', accountId, row.imap_secret));
}

/** Our name for EHLO: a full name where we have one, else an address literal (RFC 5321 §4.1.4). */
function ehloName(baseUrl: string): string {
  const names = [new URL(baseUrl).hostname, hostname()];
  return names.find((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/i.test(name)) ?? '[127.0.0.1]';
}
