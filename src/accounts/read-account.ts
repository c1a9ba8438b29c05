import { type Caller, missing, visible } from '../access/index.ts';
import { addressKey } from '../core/email-address.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { type Queryable, raw, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { type OptionValues, optionNames } from '../fields/option.ts';
import { type MailServer, mailUrlOf } from '../mail/mail-url.ts';
import { canBePolled, canSend } from './conditions.ts';
import type { Account } from './entities.ts';
import { DETAIL_SETTINGS, RECORD_SETTINGS } from './settings/account-settings.ts';
import { type AccountStatus, PAUSE_REASONS, type PauseReason } from './words.ts';

const COLUMNS = [
  ...(['id', 'provider', 'email', 'status', 'pause_reason', 'is_archived', 'connected_at'] as const),
  ...optionNames(RECORD_SETTINGS),
] as const;

/** A sending account in the API. */
export interface AccountRow extends RowOf<Account, (typeof COLUMNS)[number]> {
  /** The provider's message, with `provider_error`. */
  pause_message: string | null;
}

/** The columns of `AccountRow`, of the account `a`. */
export const accountColumns = sql`${selectColumns<Account>('a', COLUMNS)},
  case when a.pause_reason = 'provider_error' then a.pause_message end as pause_message`;

/** Reads one account that the caller may see. Index: accounts_pkey. Throws `not_found`. */
export async function getAccount(db: Queryable, caller: Caller, id: number): Promise<AccountRow> {
  const [row] = await db.query<AccountRow>(
    sql`select ${accountColumns} from accounts a where a.id = ${id} and ${visible(caller, 'accounts', 'a')}`,
  );
  if (row === undefined) throw missing('accounts');
  return row;
}

/** Finds the live accounts with these addresses, ignoring case, that the caller may see. Index: accounts_live_email. */
export function accountsWithAddresses(
  db: Queryable,
  caller: Caller,
  addresses: readonly string[],
): Promise<{ id: number; email: string }[]> {
  return db.query(sql`
    select a.id, a.email from accounts a
    where address_key(a.email) = any(${addresses.map(addressKey)}::text[]) and not a.is_archived
      and ${visible(caller, 'accounts', 'a')} order by a.id`);
}

/** Lists the accounts that the caller may see, including archived ones, by id. Index: accounts_live_email; a workspace has few. */
export function listAccounts(db: Queryable, caller: Caller, page: PageRequest): Promise<Page<AccountRow>> {
  const where = visible(caller, 'accounts', 'a');
  return listPage(
    db,
    sql`select ${accountColumns} from accounts a where ${where} order by a.id`,
    sql`select count(*)::int as total from accounts a where ${where}`,
    page,
  );
}

/** Details of an account that only the command line shows. */
export interface AccountDetails extends OptionValues<typeof DETAIL_SETTINGS> {
  /** `host:port user`. */
  smtp: string;
  imap: string | null;
  /** The same as URLs, without passwords; null if no server is stored. */
  smtp_url: string | null;
  imap_url: string | null;
  ramp_started_on: string | null;
  /** True if the server was found to put copies of sent emails into the Sent folder; null as long as that is unknown. */
  server_files_sent: boolean | null;
  /** Why the latest copy could not be put into the Sent folder; null if it could. */
  sent_copy_error: string | null;
  next_batch_at: string | null;
  /** Why the latest connection to the SMTP server failed, in the server's words; null if it succeeded. */
  connection_error: string | null;
  /** No email is sent before this time, because the connection failed. */
  connect_after: string | null;
  last_polled_at: string | null;
  poll_error: string | null;
  /** Folders other than INBOX that were missing or refused at the latest complete poll. */
  poll_warning: string | null;
}

/** Reads the details of an account that the caller may see. Index: accounts_pkey. Throws `not_found`. */
export async function getAccountDetails(db: Queryable, caller: Caller, id: number): Promise<AccountDetails> {
  const server = (column: 'smtp' | 'imap') =>
    raw(`concat_ws(' ', concat_ws(':', a.${column}->>'host', a.${column}->>'port'), a.${column}->>'user')`);
  const [row] = await db.query<AccountDetails & { smtp_server: Partial<MailServer>; imap_server: Partial<MailServer> | null }>(sql`
    select a.smtp as smtp_server, a.imap as imap_server, ${selectColumns<Account>('a', optionNames(DETAIL_SETTINGS))},
      ${server('smtp')} as smtp, case when a.imap is not null then ${server('imap')} end as imap,
      a.ramp_started_on, a.server_files_sent, a.sent_copy_error,
      ${timestamp('a.next_batch_at')} as next_batch_at,
      a.connection_error, ${timestamp('a.connect_after')} as connect_after,
      ${timestamp('a.last_polled_at')} as last_polled_at, a.poll_error, a.poll_warning
    from accounts a where a.id = ${id} and ${visible(caller, 'accounts', 'a')}`);
  if (row === undefined) throw missing('accounts');
  const { smtp_server: smtp, imap_server: imap, ...details } = row;
  return { ...details, smtp_url: urlOf(smtp, 'smtp'), imap_url: urlOf(imap, 'imap') };
}

const urlOf = (server: Partial<MailServer> | null, protocol: 'smtp' | 'imap'): string | null =>
  server?.host === undefined ? null : mailUrlOf(server as MailServer, protocol);

/** Counts the accounts that could send but wait, because their mail server can't be reached or asks them to come back later. */
export async function countWaitingAccounts(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from accounts a where ${canSend('a')} and a.connection_failures > 0`,
  );
  return row?.count ?? 0;
}

/** Counts the accounts whose mailbox can't be polled, which makes their follow-ups wait. */
export async function countUnreadMailboxes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from accounts a where ${canBePolled('a')} and a.poll_error is not null`,
  );
  return row?.count ?? 0;
}

/** Live accounts in one state. */
export interface AccountCount {
  status: AccountStatus;
  /** Why they send nothing; null for active ones. */
  reason: PauseReason | null;
  count: number;
}

/** Counts the live accounts of the installation by status and reason; 0 for a state without any. */
export async function countAccounts(db: Queryable): Promise<AccountCount[]> {
  const rows = await db.query<AccountCount>(sql`
    select status, pause_reason as reason, count(*)::int as count from accounts
    where deleted_at is null and not is_archived group by status, pause_reason`);
  const states = [
    { status: 'active' as const, reason: null },
    ...PAUSE_REASONS.map((reason) => ({ status: 'paused' as const, reason })),
    { status: 'disconnected' as const, reason: 'provider_error' as const },
  ];
  const isIn = (row: AccountCount, { status, reason }: (typeof states)[number]) => row.status === status && row.reason === reason;
  return states.map((state) => ({ ...state, count: rows.find((row) => isIn(row, state))?.count ?? 0 }));
}
