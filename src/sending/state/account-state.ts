import {
  type AccountSettings,
  canSend,
  copyDelayOf,
  type DailyLimit,
  dailyLimitColumns,
  dailyLimitOf,
  emailsByDay,
  type FilingAccount,
  openDkim,
} from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { messageOf } from '../../core/errors.ts';
import { isKnownZone, localDay } from '../../core/zone.ts';
import { selectColumns } from '../../db/record-row.ts';
import { prepared, type Sql, sql } from '../../db/statement.ts';
import type { DkimKey, DkimSigner } from '../../mail/dkim.ts';
import { signatureHtml } from '../../templates/index.ts';
import type { PlannedAccount } from '../plan/plan.ts';

/** The fields of an account that sending needs. */
export interface SendingAccount extends PlannedAccount {
  id: number;
  workspaceId: number;
  email: string;
  fromName: string;
  timezone: string;
  /** Returns the maximum number of emails on a local day, `YYYY-MM-DD`, after ramp-up. */
  limitOn: (day: string, ahead?: readonly string[]) => number;
  gapMinSeconds: number;
  gapMaxSeconds: number;
  minuteLimit: number | null;
  signatureHtml: string | null;
  /** Milliseconds from sending an answer to filing its copy in the Sent folder; null if no copy is filed. */
  copyDelay: number | null;
  /** DKIM keys for its emails; none if the provider signs them or they are not signed. */
  dkim: readonly DkimSigner[];
  /** Number of failed connections in a row, and why the latest failed. */
  connectionFailures: number;
  connectionError: string | null;
  /** True if the server's latest refusal was of a follow-up, and it has accepted nothing since. */
  hasRefusedFollowUp: boolean;
  wakes: number;
}

const SETTINGS = [
  ...(['from_name', 'send_window_start_hour', 'send_window_end_hour', 'send_batch_min', 'send_batch_max'] as const),
  ...(['send_batch_interval_minutes', 'gap_min_seconds', 'gap_max_seconds', 'minute_send_limit'] as const),
] as const;

interface AccountRow extends Pick<AccountSettings, (typeof SETTINGS)[number]>, FilingAccount, DailyLimit {
  id: number;
  workspace_id: number;
  email: string;
  last_batch_at: Date | null;
  last_campaign_id: number | null;
  connection_failures: number;
  connect_after: Date | null;
  connection_error: string | null;
  has_refused_follow_up: boolean;
  wakes: number;
  signature_html: string | null;
  dkim: DkimKey[] | null;
  dkim_secret: string | null;
}

/** The columns are listed because a prepared statement with `*` fails after a migration has added a column. */
const COLUMNS: Sql = sql`a.id, a.workspace_id, a.email, ${selectColumns<AccountSettings>('a', SETTINGS)}, ${dailyLimitColumns('a')},
  a.last_batch_at, a.last_campaign_id, a.connection_failures, a.connect_after, a.connection_error,
  coalesce((a.refused_in_row -> 'is_follow_up')::boolean, false) as has_refused_follow_up, a.wakes, a.dkim, a.dkim_secret,
  a.sent_copy, a.server_files_sent, a.smtp, a.imap`;

/**
 * Reads an account that may send; null if it is not active or is one that `stopUnusable` pauses. Indexes: accounts_pkey, account_days_pkey.
 */
export async function loadSendingAccount(app: App, id: number): Promise<SendingAccount | null> {
  const now = app.clock.now();
  const [row] = await app.db.query<AccountRow & { days: Record<string, number> | null }>(
    prepared(
      'sending-account',
      sql`
    select ${COLUMNS}, ${signatureHtml('a')} as signature_html, ${emailsByDay('a', now)} as days
    from accounts a where a.id = ${id} and ${canSend('a')}`,
    ),
  );
  if (row === undefined || unusableReason(app, row) !== null) return null;
  const today = localDay(now, row.timezone);
  const limitOn = (day: string, ahead?: readonly string[]) => dailyLimitOf(row, day, ahead);
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    email: row.email,
    fromName: row.from_name,
    timezone: row.timezone,
    window: { timezone: row.timezone, startHour: row.send_window_start_hour, endHour: row.send_window_end_hour, days: null },
    batchMin: row.send_batch_min,
    batchMax: row.send_batch_max,
    intervalMinutes: row.send_batch_interval_minutes,
    dailyLimit: limitOn(today),
    limitOn,
    sentToday: row.days?.[today] ?? 0,
    lastBatchAt: row.last_batch_at,
    lastCampaignId: row.last_campaign_id,
    gapMinSeconds: row.gap_min_seconds,
    gapMaxSeconds: row.gap_max_seconds,
    minuteLimit: row.minute_send_limit,
    signatureHtml: row.signature_html,
    copyDelay: copyDelayOf(row),
    dkim: openDkim(app, row),
    connectionFailures: row.connection_failures,
    connectAfter: row.connect_after,
    connectionError: row.connection_error,
    hasRefusedFollowUp: row.has_refused_follow_up,
    wakes: row.wakes,
  };
}

/** The fields of an account that decide if it can send. */
export type UsableFields = Pick<AccountRow, 'id' | 'timezone' | 'dkim' | 'dkim_secret'>;

/** Returns the reason why an active account cannot send; null if it can. */
export function unusableReason(app: App, row: UsableFields): string | null {
  const set = `outreach account set ${row.id}`;
  if (!isKnownZone(row.timezone))
    return `the time zone "${row.timezone}" is unknown to this machine; choose another with: ${set} --timezone, then resume`;
  try {
    openDkim(app, row);
    return null;
  } catch (error) {
    return `${messageOf(error)}; set another key with: ${set} --dkim-key, then resume`;
  }
}
