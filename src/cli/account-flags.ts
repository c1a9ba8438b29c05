import { Flags, type Interfaces } from '@oclif/core';
import type { AccountSettings } from '../accounts/index.ts';
import { invalid } from '../core/errors.ts';

/** A whole number, or `none` to take it back. */
const integerOrNone = Flags.custom<number | null>({
  async parse(text) {
    if (text === 'none') return null;
    if (!/^\d{1,9}$/.test(text)) throw invalid(`"${text}" is neither a number nor none`);
    return Number(text);
  },
});

const hours = (description: string) => Flags.integer({ description, helpValue: 'H' });
const mails = (description: string) => Flags.integer({ description, helpValue: 'N' });
const seconds = (description: string) => Flags.integer({ description, helpValue: 'SECONDS' });

/** The options of `account set`, which `account connect` takes too. */
export const settingFlags = {
  'batch-interval': Flags.integer({ description: 'minutes between batches', helpValue: 'MIN' }),
  'batch-max': mails('most mails of a batch'),
  'batch-min': mails('fewest mails of a batch'),
  'daily-limit': mails("most mails per day of the account's zone"),
  'from-name': Flags.string({ description: 'name that recipients see', helpValue: 'N' }),
  'gap-max': seconds('longest pause between two mails of a batch'),
  'gap-min': seconds('shortest pause between two mails of a batch'),
  'ramp-ceiling': integerOrNone({ description: 'where the ramp-up ends; none: at the daily limit', helpValue: 'N' }),
  'ramp-increment': integerOrNone({ description: 'mails that each day of the ramp-up adds', helpValue: 'N' }),
  'ramp-start': integerOrNone({ description: 'mails on the first day of a ramp-up, which is today; none ends it', helpValue: 'N' }),
  shared: Flags.option({ options: ['true', 'false'] as const, description: 'whether everybody in the workspace sees the account' })(),
  signature: integerOrNone({ description: 'id of the template that {{signature}} stands for, or none', helpValue: 'TEMPLATE_ID' }),
  timezone: Flags.string({ description: 'zone of its day and window, such as Europe/Berlin', helpValue: 'Z' }),
  'tracking-host': Flags.string({ description: 'host of its links, such as links.example.com, or none', helpValue: 'HOST' }),
  'window-end': hours('hour at which sending ends, 1 to 24'),
  'window-start': hours('hour at which sending begins, 0 to 23'),
};

type SettingFlags = Interfaces.InferredFlags<typeof settingFlags>;

/** The settings that the options ask for; those left out are undefined. */
export function settingsFrom(flags: SettingFlags): Partial<AccountSettings> {
  return {
    send_batch_interval_minutes: flags['batch-interval'],
    send_batch_max: flags['batch-max'],
    send_batch_min: flags['batch-min'],
    daily_send_limit: flags['daily-limit'],
    from_name: flags['from-name'],
    gap_max_seconds: flags['gap-max'],
    gap_min_seconds: flags['gap-min'],
    ramp_ceiling: flags['ramp-ceiling'],
    ramp_increment: flags['ramp-increment'],
    ramp_start: flags['ramp-start'],
    is_shared_to_all: flags.shared === undefined ? undefined : flags.shared === 'true',
    signature_template_id: flags.signature,
    timezone: flags.timezone,
    tracking_host: flags['tracking-host'] === 'none' ? null : flags['tracking-host'],
    send_window_end_hour: flags['window-end'],
    send_window_start_hour: flags['window-start'],
  };
}
