import { hostname } from 'node:os';
import type { ImapFlow } from 'imapflow';
import type { App } from '../app.ts';
import type { Config } from '../core/config.ts';
import { notFound } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import { type ImapLogin, type ImapTimings, imapClient } from '../mail/imap-client.ts';
import type { MailServer } from '../mail/mail-url.ts';
import { type Outcome, type SmtpLogin, SmtpSession } from '../mail/smtp-session.ts';
import { accessToken } from './access-token.ts';
import { type MailSecret, openSecret } from './secret.ts';

/** How to log in to a server; the one place where a stored server and an opened secret meet. */
export function smtpLogin(config: Config, server: MailServer, secret: MailSecret): SmtpLogin {
  const { host, port, secure, user } = server;
  return { host, port, secure, requireTLS: !secure && server.tls === 'required', user, name: ehloName(config.baseUrl), ...proof(secret) };
}

export function imapLogin(server: MailServer, secret: MailSecret): ImapLogin {
  const { host, port, secure, user } = server;
  return { host, port, secure, requireTLS: !secure && server.tls === 'required', user: user ?? '', ...proof(secret) };
}

/** What a server is shown; the refresh token is for the provider alone. */
const proof = ({ pass, accessToken: token }: MailSecret) =>
  token === undefined ? (pass === undefined ? {} : { pass }) : { accessToken: token };

interface CredentialRow {
  smtp: MailServer;
  smtp_secret: string;
  imap: MailServer | null;
  imap_secret: string | null;
  has_tokens: boolean;
}

async function readCredentials(app: App, accountId: number): Promise<CredentialRow> {
  const [row] = await app.db.query<CredentialRow>(sql`
    select smtp, smtp_secret, imap, imap_secret, token_expires_at is not null as has_tokens
    from accounts where id = ${accountId} and deleted_at is null`);
  if (row === undefined) throw notFound('account');
  return row;
}

/**
 * The login of an account's SMTP server, unsealed: never log it. Throws `not_found`, `conflict` when the seal can't be
 * opened, and `TokenRefused` or `TokenUnavailable` where the provider gives no access token.
 * @param refused an access token that the server would not take
 */
export async function openSmtp(app: App, accountId: number, refused?: string): Promise<SmtpLogin> {
  const row = await readCredentials(app, accountId);
  const secret = row.has_tokens
    ? { accessToken: await accessToken(app, accountId, refused) }
    : openSecret(app, 'smtp_secret', accountId, row.smtp_secret);
  return smtpLogin(app.config, row.smtp, secret);
}

/** The login of an account's IMAP server, or null when it has none. Like `openSmtp` otherwise. */
export async function openImap(app: App, accountId: number, refused?: string): Promise<ImapLogin | null> {
  const row = await readCredentials(app, accountId);
  if (row.imap === null || row.imap_secret === null) return null;
  const secret = row.has_tokens
    ? { accessToken: await accessToken(app, accountId, refused) }
    : openSecret(app, 'imap_secret', accountId, row.imap_secret);
  return imapLogin(row.imap, secret);
}

/**
 * A connection to the account's SMTP server, logged in, or what came of trying. An access token that the server refuses
 * before its time is renewed, once. Throws like `openSmtp`.
 */
export async function openSmtpSession(app: App, accountId: number): Promise<SmtpSession | Outcome> {
  const login = await openSmtp(app, accountId);
  const opened = await SmtpSession.open(login);
  const isTokenRefused = login.accessToken !== undefined && 'phase' in opened && opened.kind === 'refused' && opened.phase === 'auth';
  return isTokenRefused ? SmtpSession.open(await openSmtp(app, accountId, login.accessToken)) : opened;
}

/** A connected client of the account's mailbox, or null when it has none. Throws like `openImap`, and what connecting throws. */
export async function openMailbox(app: App, accountId: number, timings: ImapTimings = {}): Promise<ImapFlow | null> {
  const login = await openImap(app, accountId);
  if (login === null) return null;
  try {
    return await connected(login, timings);
  } catch (error) {
    if (login.accessToken === undefined || (error as { authenticationFailed?: boolean }).authenticationFailed !== true) throw error;
    const renewed = await openImap(app, accountId, login.accessToken);
    return renewed === null ? null : connected(renewed, timings);
  }
}

async function connected(login: ImapLogin, timings: ImapTimings): Promise<ImapFlow> {
  const client = imapClient(login, timings);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Our name for EHLO: a full name where we have one, else an address literal (RFC 5321 §4.1.4). */
function ehloName(baseUrl: string): string {
  const names = [new URL(baseUrl).hostname, hostname()];
  return names.find((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/i.test(name)) ?? '[127.0.0.1]';
}
