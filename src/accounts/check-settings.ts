import { z } from 'zod';
import { invalid } from '../core/errors.ts';
import { fieldName, issueMessage } from '../fields/issues.ts';
import { optionNames } from '../fields/option.ts';
import { schemasOf } from '../fields/option-schema.ts';
import type { Account } from './entities.ts';
import { ACCOUNT_SETTINGS, type AccountSettings } from './settings/account-settings.ts';

/** Picks the settings out of an account's row. */
export const settingsOf = (account: Account): AccountSettings =>
  Object.fromEntries(optionNames(ACCOUNT_SETTINGS).map((name) => [name, account[name] ?? null])) as AccountSettings;

const settingsSchema = z.strictObject(schemasOf(ACCOUNT_SETTINGS)).partial();

/** Checks each value on its own. Throws `invalid_request` naming the first invalid field. */
export function checkValues(settings: Partial<AccountSettings>): void {
  const [issue] = settingsSchema.safeParse(settings).error?.issues ?? [];
  if (issue !== undefined) throw invalid(`${fieldName(issue.path)}: ${issueMessage(issue, settings)}`);
}

/** Checks each value and their combinations. Throws `invalid_request` naming the first invalid field. */
export function checkSettings(settings: AccountSettings): void {
  checkValues(settings);
  const { send_batch_min, send_batch_max, gap_min_seconds, gap_max_seconds } = settings;
  if (settings.send_window_start_hour === settings.send_window_end_hour)
    throw invalid('send_window_end_hour: must differ from send_window_start_hour; use 0 and 24 for the whole day');
  if (send_batch_min > send_batch_max) throw invalid(`send_batch_min: must be at most send_batch_max, which is ${send_batch_max}`);
  if (gap_min_seconds > gap_max_seconds) throw invalid(`gap_min_seconds: must be at most gap_max_seconds, which is ${gap_max_seconds}`);
  if (new Set(settings.tags).size < settings.tags.length) throw invalid('tags: must differ from each other');
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
