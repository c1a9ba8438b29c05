import { DETAIL_SETTINGS } from '../accounts/settings/index.ts';
import type { Client as Api } from '../client/create-client.ts';
import { grouped, quantity, withoutFullStop } from '../core/english.ts';
import { changedOptions } from '../fields/option-text.ts';
import { zoneLine } from '../mail/dkim.ts';
import { type Fact, factsText } from './facts.ts';
import { checksText } from './health-text.ts';
import { localText } from './local-text.ts';
import { type Screen, screenOf } from './screen.ts';
import { stateText } from './states.ts';
import { table } from './table.ts';
import { hoursText } from './window-text.ts';

type Account = Awaited<ReturnType<Api['accounts']['get']['query']>>;
type Details = Awaited<ReturnType<Api['accountSetup']['details']['query']>>;

/**
 * Describes an account: its state with reason and remedy, its servers, window and limits, the settings that differ from the default, and
 * its health.
 */
export async function describeAccount(api: Api, id: number, screen: Screen = screenOf()): Promise<string> {
  const [account, details, health] = await Promise.all([
    api.accounts.get.query({ id }),
    api.accountSetup.details.query({ id }),
    api.accountHealth.get.query({ id }),
  ]);
  const { timezone } = account;
  const at = (time: string | null) => (time === null ? null : localText(time, timezone));
  const facts: Fact[] = [
    ['Sends as', account.from_name],
    ...settingFacts(account, details),
    ['Next batch', account.status === 'active' ? at(details.next_batch_at) : null],
    ['SMTP', details.smtp_url ?? details.smtp],
    [
      'SMTP error',
      details.connection_error === null ? null : `${details.connection_error}; the next attempt is at ${at(details.connect_after)}`,
    ],
    ['IMAP', details.imap_url ?? details.imap ?? 'none: replies and bounces are not seen'],
    ['Last read', details.imap === null ? null : (at(details.last_polled_at) ?? 'never')],
    ['IMAP error', details.poll_error],
    ['IMAP warning', details.poll_warning],
    ['Not read', details.unreadable_messages === 0 ? null : `${quantity(details.unreadable_messages, 'message')} could not be read`],
    ['Sent folder', details.sent_copy_error === null ? null : `the last copy could not be filed: ${details.sent_copy_error}`],
    ['DKIM', details.dkim_records.map(({ name }) => name).join(', ')],
    ['Connected', at(account.connected_at)],
    ['Health', health.health === null ? 'not checked yet' : `${health.health} since ${at(health.since)}`],
  ];
  const parts = [headline(account), factsText(facts, screen)];
  if (health.checks.length > 0) parts.push(checksText(health, timezone, screen));
  if (details.missed_messages.length > 0)
    parts.push(`Messages that were not read:\n${table(details.missed_messages, ['folder', 'uid', 'retry_at', 'reason'], screen)}`);
  if (details.dkim_records.length > 0) parts.push(details.dkim_records.map(zoneLine).join('\n'));
  return parts.join('\n\n');
}

/** Returns the state of an account, the reason, and the command that resolves it. */
export function headline({ id, email, status, is_archived, pause_reason, pause_message }: Account): string {
  const title = `${email} (account ${id}): ${stateText(status)}${is_archived ? ', archived' : ''}`;
  const said = pause_message === null ? '' : `: ${withoutFullStop(pause_message)}`;
  if (is_archived) return `${title}\nIt sends nothing; unarchive it with: outreach account unarchive ${id}`;
  if (status === 'disconnected')
    return `${title}\nIts login no longer works${said}. Connect it again with: outreach account connect ${email}`;
  if (status !== 'paused') return title;
  if (pause_reason === 'provider_limit') return `${title}\nIts provider limits it${said}. It continues on its next local day.`;
  if (pause_reason === 'provider_error')
    return `${title}\nIts provider refused it${said}. When this is fixed, resume it with: outreach account resume ${id}`;
  return `${title}\nSomebody paused it; resume it with: outreach account resume ${id}`;
}

/** Formats the window of an account: `8–18, Europe/Berlin`. */
export const windowText = ({
  send_window_start_hour: start,
  send_window_end_hour: end,
  timezone,
}: Pick<Account, 'send_window_start_hour' | 'send_window_end_hour' | 'timezone'>): string =>
  `${hoursText([`${start}-${end}`])}, ${timezone}`;

/** Returns window, pace and limits, then the settings that differ from the default. */
export function settingFacts(account: Account, details: Details): Fact[] {
  const { daily_send_limit: limit, send_batch_min: min, send_batch_max: max, send_batch_interval_minutes: minutes } = account;
  const batch = min === max ? `${max}` : `${min} to ${max}`;
  const changed = changedOptions(LISTED_SETTINGS, details as unknown as Record<string, unknown>);
  return [
    ['Sends', windowText(account)],
    ['Pace', `batches of ${batch} every ${minutes} min, at most ${grouped(limit)} a day`],
    ['Ramp-up', details.ramp_started_on === null ? null : `since ${details.ramp_started_on}`],
    ['Settings', changed.join(', ')],
    ['Shared', details.is_shared_to_all ? 'with everyone in the workspace' : null],
  ];
}

const { is_shared_to_all: _, ...LISTED_SETTINGS } = DETAIL_SETTINGS;
