import { type Caller, createRecord, differences, lockRecord, saveRecord } from '../access/index.ts';
import type { App } from '../app.ts';
import { emailAddress } from '../core/email-address.ts';
import { conflict, invalid, SQLSTATE, sqlState } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { imapProblem, LOGIN_SECONDS, smtpProblem } from '../mail/check-login.ts';
import { type MailServer, serverName } from '../mail/mail-url.ts';
import type { OAuthTokens } from '../oauth/index.ts';
import { setAccountStatus } from './account-status.ts';
import { imapLogin, smtpLogin } from './credentials.ts';
import { ACCOUNT, type Account, type Provider } from './entities.ts';
import { type AccountRow, getAccount } from './read-account.ts';
import { type MailSecret, sealSecret } from './secret.ts';
import { checkedSettings, rampStart } from './set-account.ts';
import { type AccountSettings, checkValues, DEFAULT_SETTINGS, settingsOf } from './settings.ts';

/** A server and what to prove oneself with there. */
export interface MailAccess {
  server: MailServer;
  secret: MailSecret;
}

export interface ConnectInput {
  email: string;
  provider: Provider;
  smtp: MailAccess;
  /** Left out: a new mailbox is not polled, so its replies and bounces are not seen; a present one keeps what it has. */
  imap?: MailAccess;
  /** Of a provider that was signed in to: they stand for the secrets of both servers. */
  tokens?: OAuthTokens;
  settings?: Partial<AccountSettings>;
}

/**
 * Connects a mailbox: logs in to its servers, and stores it only when both let it in. A live account of the workspace
 * with that address takes the new servers and credentials and keeps the rest; one that was `disconnected` is then
 * paused (`provider_error`) and can be resumed. Throws `invalid_request` for what can't be, `conflict` with the
 * servers' answers in one line.
 */
export async function connectAccount(app: App, caller: Caller, input: ConnectInput, seconds = LOGIN_SECONDS): Promise<AccountRow> {
  const email = checkConnect(input);
  await requireMember(app, caller);
  await requireLogins(app, input, seconds);
  const work = (tx: Tx) => store(tx, app, caller, { ...input, email });
  const id = await app.db.tx(work).catch((error: unknown) => {
    // Two who connect a new address at once both find it missing; the second one then finds it.
    if (sqlState(error) === SQLSTATE.uniqueViolation) return app.db.tx(work);
    throw error;
  });
  return getAccount(app.db, caller, id);
}

/** Throws `invalid_request` for an address or settings that can't be, before anybody signs in anywhere; answers the address. */
export function checkConnect({ email, settings }: Pick<ConnectInput, 'email' | 'settings'>): string {
  const address = emailAddress(email);
  checkValues(settings ?? {});
  return address;
}

/** An account in somebody's name needs somebody of this workspace. */
async function requireMember(app: App, caller: Caller): Promise<void> {
  if (caller.userId === null) return;
  const member = await app.db.query(
    sql`select 1 from memberships where workspace_id = ${caller.workspaceId} and user_id = ${caller.userId}`,
  );
  if (member.length === 0) throw invalid('owner: must be a member of this workspace; to add them, run: outreach user create');
}

async function requireLogins(app: App, { smtp, imap, tokens }: ConnectInput, seconds: number): Promise<void> {
  const problems = await Promise.all([
    smtpProblem(smtpLogin(app.config, smtp.server, tokens ?? smtp.secret), seconds),
    imap === undefined ? null : imapProblem(imapLogin(imap.server, tokens ?? imap.secret), seconds),
  ]);
  const found = problems.filter((problem) => problem !== null);
  if (found.length > 0) throw conflict(`nothing was stored: ${found.join(' | ')}`);
}

async function store(tx: Tx, app: App, caller: Caller, input: ConnectInput): Promise<number> {
  const now = app.clock.now();
  const present = await findLive(tx, caller, input.email);
  const id = present?.id ?? (await nextId(tx));
  const access = { ...accessColumns(app, id, input), connected_at: now, connection_failures: 0, refusals: 0 };
  // Its IMAP login was the token that is now gone.
  if (present?.token_expires_at && input.tokens === undefined && input.imap === undefined)
    Object.assign(access, { imap: null, imap_secret: null });
  const before = present === undefined ? DEFAULT_SETTINGS : settingsOf(present);
  const settings = await checkedSettings(tx, caller, before, input.settings ?? {});
  const audited = { ...accessOf(input), ...differences(before, settings) };
  if (present === undefined) {
    const identity = { id, email: input.email, workspace_id: caller.workspaceId, created_by: caller.userId, updated_at: now };
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
  }
  // A mailbox is read at once: what came before the first mail went out answers none of ours.
  await tx.query(sql`update accounts set poll_error = null, next_poll_at = ${now} where id = ${id} and imap is not null`);
  return id;
}

/** What the audit log says of how an account is logged in to. */
const accessOf = ({ email, provider, smtp, imap }: ConnectInput) => ({
  email,
  provider,
  smtp: serverName(smtp.server),
  ...(imap === undefined ? {} : { imap: serverName(imap.server) }),
});

/** The columns that say how to get in. */
function accessColumns(app: App, id: number, { provider, smtp, imap, tokens }: ConnectInput) {
  const { expiresAt, ...secret } = tokens ?? { ...smtp.secret, expiresAt: null };
  return {
    provider,
    smtp: smtp.server,
    smtp_secret: sealSecret(app, 'smtp_secret', id, secret),
    token_expires_at: expiresAt,
    ...(imap === undefined ? {} : { imap: imap.server, imap_secret: sealSecret(app, 'imap_secret', id, imap.secret) }),
  };
}

/** Index: accounts_live_email. */
async function findLive(tx: Tx, caller: Caller, email: string): Promise<Account | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    select id from accounts where workspace_id = ${caller.workspaceId} and lower(email) = lower(${email}) and deleted_at is null`);
  if (row === undefined) return undefined;
  return lockRecord(tx, caller, ACCOUNT, row.id);
}

/** The id is taken beforehand, since the secrets are sealed for it. */
async function nextId(tx: Tx): Promise<number> {
  const [next] = await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id`);
  if (next === undefined) throw new Error('the sequence of accounts gave no id');
  return next.id;
}
