import { type Caller, createRecord, differences, isAdmin, isMember, lockRecord, requireVisible, saveRecord } from '../access/index.ts';
import type { App } from '../app.ts';
import { emailAddress } from '../core/email-address.ts';
import { conflict, forbidden, invalid, SQLSTATE, sqlState } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { defaultsOf } from '../fields/option.ts';
import { checkMailbox, LOGIN_SECONDS, smtpProblem } from '../mail/check-login.ts';
import { type MailServer, serverName } from '../mail/mail-url.ts';
import type { OAuthTokens } from '../oauth/index.ts';
import { setAccountStatus } from './account-status.ts';
import { checkValues, settingsOf } from './check-settings.ts';
import { imapLogin, smtpLogin } from './credentials.ts';
import type { Account } from './entities.ts';
import { CONNECTED } from './failures.ts';
import { wakeAccount } from './next-batch.ts';
import { notifyReconnected } from './owner-emails.ts';
import { minuteLimitOf } from './providers.ts';
import { type AccountRow, getAccount } from './read-account.ts';
import { ACCOUNT } from './record.ts';
import { type MailSecret, sealImapSecret, sealSmtpSecret } from './secret.ts';
import { checkedSettings, rampStart, requireSentFolder } from './set-account.ts';
import { ACCOUNT_SETTINGS, type AccountSettings } from './settings/account-settings.ts';
import type { Provider } from './words.ts';

/** A mail server and the credentials for it. */
export interface MailAccess {
  server: MailServer;
  secret: MailSecret;
}

export interface ConnectInput {
  email: string;
  provider: Provider;
  smtp: MailAccess;
  /** Without it, a new account is not polled, so its replies and bounces are not seen. An existing account keeps its server. */
  imap?: MailAccess;
  /** OAuth tokens of the provider, which replace the secrets of both servers. */
  tokens?: OAuthTokens;
  /** The user who will own a new account; by default the caller. */
  ownerId?: number;
  settings?: Partial<AccountSettings>;
}

/**
 * Connects an account: logs in to its servers and stores it only if both logins succeed. A live account of the workspace with that address
 * gets the new servers and credentials and keeps the rest; a `disconnected` one becomes paused (`provider_error`) and can be resumed. The
 * user who sets the servers of an account can read all of its mail, so only the owner and admins may reconnect an existing account, and its
 * owner gets an email. Throws `invalid_request` for invalid input, `forbidden`, and `conflict` with the servers' replies in one line.
 */
export async function connectAccount(app: App, caller: Caller, input: ConnectInput, seconds = LOGIN_SECONDS): Promise<AccountRow> {
  const email = checkConnect(input);
  await requireMember(app, caller);
  await requireOwner(app.db, caller, email);
  await requireLogins(app, input, seconds);
  const work = (tx: Tx) => store(tx, app, caller, { ...input, email });
  const stored = await app.db.tx(work).catch((error: unknown) => {
    // Another request connected the same new address; the second attempt finds its account.
    if (sqlState(error) === SQLSTATE.uniqueViolation) return app.db.tx(work);
    throw error;
  });
  await notifyReconnected(app, caller, { ...stored, email });
  return getAccount(app.db, caller, stored.id);
}

/** Checks address and settings before any login; returns the address. Throws `invalid_request`. */
export function checkConnect({ email, settings }: Pick<ConnectInput, 'email' | 'settings'>): string {
  const address = emailAddress(email);
  checkValues(settings ?? {});
  return address;
}

/** Throws `invalid_request` unless the user who will own the account is a member of the workspace. */
async function requireMember(app: App, caller: Caller): Promise<void> {
  if (caller.userId === null || (await isMember(app.db, caller))) return;
  throw invalid('owner: must be a member of this workspace; to add them, run: outreach user create');
}

/**
 * Throws `forbidden` if the address belongs to an account that the caller may not reconnect, and `not_found` if they can't see that
 * account.
 */
async function requireOwner(db: Queryable, caller: Caller, email: string): Promise<void> {
  const present = await findLive(db, caller, email);
  if (present === undefined) return;
  await requireVisible(db, caller, 'accounts', present.id);
  if (isAdmin(caller) || (caller.userId !== null && present.created_by === caller.userId)) return;
  throw forbidden(`${email} belongs to somebody else; only they and admins may connect it again`);
}

async function requireLogins(app: App, { smtp, imap, tokens }: ConnectInput, seconds: number): Promise<void> {
  const problems = await Promise.all([
    smtpProblem(smtpLogin(app, smtp.server, tokens ?? smtp.secret), seconds),
    imap === undefined
      ? null
      : checkMailbox(imapLogin(app, imap.server, tokens ?? imap.secret), [], seconds).then(({ problem }) => problem),
  ]);
  const found = problems.filter((problem) => problem !== null);
  const serverSaid = found.join(' | ');
  if (found.length > 0) throw conflict(`nothing was stored: ${serverSaid}`, { serverSaid });
}

/** @returns the account, and the id of its previous owner; null for a new account */
async function store(tx: Tx, app: App, caller: Caller, input: ConnectInput): Promise<{ id: number; ownerId: number | null }> {
  const now = app.clock.now();
  await requireOwner(tx, caller, input.email);
  const found = await findLive(tx, caller, input.email);
  const present = found && (await lockRecord(tx, caller, ACCOUNT, found.id));
  const id = present?.id ?? (await nextId(tx));
  const access = { ...accessColumns(app, id, input), connected_at: now, ...CONNECTED, refusal_marks: [] };
  // The IMAP login used the token, which has just been replaced.
  if (present?.token_expires_at && input.tokens === undefined && input.imap === undefined)
    Object.assign(access, { imap: null, imap_secret: null });
  requireSentFolder(input.settings ?? {}, { ...present, ...access }.imap);
  const before =
    present === undefined ? { ...defaultsOf(ACCOUNT_SETTINGS), minute_send_limit: minuteLimitOf(input.smtp.server) } : settingsOf(present);
  const settings = await checkedSettings(tx, caller, before, input.settings ?? {});
  const audited = { ...accessOf(input), ...differences(before, settings) };
  if (present === undefined) {
    const identity = {
      id,
      email: input.email,
      workspace_id: caller.workspaceId,
      created_by: input.ownerId ?? caller.userId,
      updated_at: now,
    };
    const data = {
      ...identity,
      ...access,
      ...settings,
      ...rampStart(app, before, settings),
      status: 'active',
      is_archived: false,
    } as const;
    await createRecord(tx, app, caller, ACCOUNT, data, { verb: 'connect', audited });
  } else {
    const { status, pause_message = null } = present;
    const patch = { ...access, ...settings, ...rampStart(app, before, settings) };
    await saveRecord(tx, app, caller, ACCOUNT, present, { verb: 'reconnect', patch, audited: () => audited });
    if (status === 'disconnected')
      await setAccountStatus(tx, app, caller, id, { status: 'paused', pause_reason: 'provider_error', pause_message });
    await wakeAccount(tx, id, now);
  }
  // The mailbox is polled immediately: messages from before the first email can't be replies to it.
  await tx.query(sql`
    update accounts set poll_error = null, poll_crashes = 0, next_poll_at = ${now}, server_files_sent = null, sent_copy_error = null
    where id = ${id} and imap is not null`);
  return { id, ownerId: present?.created_by ?? null };
}

/** Returns the account's servers and provider for the audit entry. */
const accessOf = ({ email, provider, smtp, imap }: ConnectInput) => ({
  email,
  provider,
  smtp: serverName(smtp.server),
  ...(imap === undefined ? {} : { imap: serverName(imap.server) }),
});

/** Returns the columns for servers and credentials. */
function accessColumns(app: App, id: number, { provider, smtp, imap, tokens }: ConnectInput) {
  const { expiresAt, ...secret } = tokens ?? { ...smtp.secret, expiresAt: null };
  return {
    provider,
    smtp: smtp.server,
    smtp_secret: sealSmtpSecret(app, { id, provider, server: smtp.server }, secret),
    token_expires_at: expiresAt,
    ...(imap === undefined ? {} : { imap: imap.server, imap_secret: sealImapSecret(app, { id, server: imap.server }, imap.secret) }),
  };
}

/** Finds the live account with an address, even if the caller can't see it. Index: accounts_live_email. */
async function findLive(db: Queryable, caller: Caller, email: string): Promise<Pick<Account, 'id' | 'created_by'> | undefined> {
  const [row] = await db.query<{ id: number; created_by: number | null }>(sql`
    select id, created_by from accounts where workspace_id = ${caller.workspaceId} and address_key(email) = address_key(${email}) and deleted_at is null`);
  return row;
}

/** Reserves an id in advance, since the secrets are sealed for it. */
async function nextId(tx: Tx): Promise<number> {
  const [next] = await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id`);
  if (next === undefined) throw new Error('the sequence of accounts returned no id');
  return next.id;
}
