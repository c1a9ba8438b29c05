import { IANAZone } from 'luxon';
import { invalid } from '../core/errors.ts';
import type { Account } from './entities.ts';
import { SENT_COPIES } from './words.ts';

/** Integer settings with their minimum and maximum. */
const SETTING_RANGES = {
  send_window_start_hour: [0, 23],
  send_window_end_hour: [1, 24],
  send_batch_min: [1, 10_000],
  send_batch_max: [1, 10_000],
  send_batch_interval_minutes: [1, 1_440],
  daily_send_limit: [0, 1_000_000],
  gap_min_seconds: [0, 3_600],
  gap_max_seconds: [0, 3_600],
  minute_send_limit: [1, 10_000],
  ramp_start: [1, 1_000_000],
  ramp_increment: [1, 1_000_000],
  ramp_ceiling: [1, 1_000_000],
} as const satisfies Partial<Record<keyof Account, readonly [number, number]>>;

type SettingName =
  | keyof typeof SETTING_RANGES
  | 'from_name'
  | 'timezone'
  | 'signature_template_id'
  | 'is_shared_to_all'
  | 'tracking_host'
  | 'folders'
  | 'list_id'
  | 'sent_copy'
  | 'tags';

/** Settings of an account that users can change; null clears an optional one. */
export type AccountSettings = { [Name in SettingName]-?: Exclude<Account[Name], undefined> };

/** Settings of a new account. */
export const DEFAULT_SETTINGS: AccountSettings = {
  from_name: '',
  timezone: 'UTC',
  send_window_start_hour: 8,
  send_window_end_hour: 18,
  send_batch_min: 1,
  send_batch_max: 3,
  send_batch_interval_minutes: 10,
  daily_send_limit: 50,
  gap_min_seconds: 0,
  gap_max_seconds: 0,
  minute_send_limit: null,
  ramp_start: null,
  ramp_increment: null,
  ramp_ceiling: null,
  signature_template_id: null,
  tracking_host: null,
  folders: null,
  list_id: null,
  sent_copy: 'auto',
  tags: [],
  is_shared_to_all: true,
};

/** Picks the settings out of an account's row. */
export function settingsOf(account: Account): AccountSettings {
  const names = Object.keys(DEFAULT_SETTINGS) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, account[name] ?? null])) as AccountSettings;
}

/** RFC 2919 §2: a label and a domain, as dot-atom-text, at most 255 octets. */
const isListId = (text: string | null): boolean =>
  text === null || (text.length <= 255 && /^[\w!#$%&'*+/=?^`{|}~-]+(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?){2,}$/i.test(text));

/** Checks each value by itself. Throws `invalid_request` naming the first invalid field. */
export function checkValues(settings: Partial<AccountSettings>): void {
  for (const [field, [min, max]] of Object.entries(SETTING_RANGES)) {
    const value = settings[field as keyof typeof SETTING_RANGES] ?? min;
    if (!Number.isInteger(value) || value < min || value > max) throw invalid(`${field}: must be a whole number from ${min} to ${max}`);
  }
  const { from_name = '', timezone = 'UTC' } = settings;
  if (from_name.length > 255) throw invalid('from_name: at most 255 characters');
  if (/[\p{Cc}\u2028\u2029]/u.test(from_name)) throw invalid('from_name: must not contain line breaks or control characters');
  if ((settings.folders ?? '').length > 1_000) throw invalid('folders: at most 1000 characters');
  if (!isListId(settings.list_id ?? null))
    throw invalid('list_id: must be a name and a domain of yours, such as offers.example.com, at most 255 characters');
  checkTags(settings.tags ?? []);
  if (!SENT_COPIES.includes(settings.sent_copy ?? 'auto')) throw invalid('sent_copy: must be auto, append or never');
  if (!IANAZone.isValidZone(timezone)) throw invalid('timezone: must be an IANA time zone such as Europe/Berlin');
}

/** Throws `invalid_request` for more than 20 tags and for one with other characters than lower-case letters, digits, `.`, `_` and `-`. */
function checkTags(tags: readonly string[]): void {
  if (tags.length > 20) throw invalid('tags: at most 20');
  const wrong = tags.find((tag) => !/^[a-z0-9][a-z0-9._-]{0,49}$/.test(tag));
  if (wrong !== undefined)
    throw invalid(`tags: "${wrong.slice(0, 60)}" must be at most 50 lower-case letters, digits, dots, dashes or underscores`);
  if (new Set(tags).size < tags.length) throw invalid('tags: must differ from each other');
}

/** Checks each value and their combinations. Throws `invalid_request` naming the first invalid field. */
export function checkSettings(settings: AccountSettings): void {
  checkValues(settings);
  const { send_batch_min, send_batch_max, gap_min_seconds, gap_max_seconds } = settings;
  if (settings.send_window_start_hour === settings.send_window_end_hour)
    throw invalid('send_window_end_hour: must differ from send_window_start_hour; use 0 and 24 for the whole day');
  if (send_batch_min > send_batch_max) throw invalid(`send_batch_min: must be at most send_batch_max, which is ${send_batch_max}`);
  if (gap_min_seconds > gap_max_seconds) throw invalid(`gap_min_seconds: must be at most gap_max_seconds, which is ${gap_max_seconds}`);
  checkRamp(settings);
}

function checkRamp({ ramp_start, ramp_increment, ramp_ceiling }: AccountSettings): void {
  if (ramp_start === null) {
    if (ramp_increment !== null || ramp_ceiling !== null) throw invalid('ramp_start: required with ramp_increment and ramp_ceiling');
    return;
  }
  if (ramp_increment === null) throw invalid('ramp_increment: required with ramp_start');
  if (ramp_ceiling !== null && ramp_ceiling < ramp_start)
    throw invalid(`ramp_ceiling: must be at least ramp_start, which is ${ramp_start}`);
}

/**
 * Returns the origin of a tracking host: `https://links.example.com` for `links.example.com`.
 * Throws `invalid_request`.
 */
export function trackingOrigin(text: string): string {
  const url = text.includes('://') ? text : `https://${text}`;
  const isOrigin = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).href === `${new URL(url).origin}/`;
  if (!isOrigin) throw invalid('tracking_host: must be a host name such as links.example.com');
  return new URL(url).origin;
}
