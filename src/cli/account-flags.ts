import { Flags, type Interfaces } from '@oclif/core';
import type { AccountSettings } from '../accounts/index.ts';
import { invalid } from '../core/errors.ts';

/** A whole number, or `none` to unset it. */
const integerOrNone = Flags.custom<number | null>({
  async parse(text) {
    if (text === 'none') return null;
    if (!/^\d{1,9}$/.test(text)) throw invalid(`must be a whole number or none, not "${text}"`);
    return Number(text);
  },
});

const hours = (description: string) => Flags.integer({ description, helpValue: 'H' });
const emails = (description: string) => Flags.integer({ description, helpValue: 'N' });
const seconds = (description: string) => Flags.integer({ description, helpValue: 'SECONDS' });

/** The flags that `account set` and `account connect` share. */
export const settingFlags = {
  'batch-interval': Flags.integer({ description: 'minutes between batches', helpValue: 'MIN' }),
  'batch-max': emails('maximum emails per batch'),
  'batch-min': emails('minimum emails per batch'),
  'daily-limit': emails("maximum emails per day, in the account's time zone"),
  folders: Flags.string({
    description: 'folders to poll beside the inbox and the folders for spam and all mail, separated by commas, or none',
    helpValue: 'NAMES',
  }),
  'from-name': Flags.string({ description: 'sender name that recipients see', helpValue: 'N' }),
  'gap-max': seconds('longest pause between two emails of a batch'),
  'gap-min': seconds('shortest pause between two emails of a batch'),
  'list-id': Flags.string({
    description: 'List-Id of its emails (RFC 2919), such as offers.example.com, or none, as usual for emails to one person',
    helpValue: 'NAME',
  }),
  'minute-limit': integerOrNone({
    description: 'maximum emails per minute, as the provider limits it, or none; 30 for new accounts at Microsoft',
    helpValue: 'N',
  }),
  'ramp-ceiling': integerOrNone({ description: 'emails per day at which the ramp-up ends; none for the daily limit', helpValue: 'N' }),
  'ramp-increment': integerOrNone({ description: 'emails that each day of the ramp-up adds', helpValue: 'N' }),
  'ramp-start': integerOrNone({ description: 'start a ramp-up today with this many emails; none ends the ramp-up', helpValue: 'N' }),
  'sent-copy': Flags.option({
    options: ['auto', 'append', 'never'] as const,
    description:
      'who puts copies of answers to replies into its Sent folder: Outreach where the server does not, always Outreach, or never',
  })(),
  shared: Flags.option({ options: ['true', 'false'] as const, description: 'share the account with everyone in the workspace' })(),
  signature: integerOrNone({ description: 'id of the template to use for {{signature}}, or none', helpValue: 'TEMPLATE_ID' }),
  timezone: Flags.string({ description: 'time zone of its day and sending window, such as Europe/Berlin', helpValue: 'Z' }),
  'tracking-host': Flags.string({
    description: 'host name for links in its emails, such as links.example.com, or none',
    helpValue: 'HOST',
  }),
  'window-end': hours('hour when sending ends, 1 to 24'),
  'window-start': hours('hour when sending starts, 0 to 23'),
};

type SettingFlags = Interfaces.InferredFlags<typeof settingFlags>;

/** The account settings in the flags; undefined for those not given. */
export function settingsFrom(flags: SettingFlags): Partial<AccountSettings> {
  return {
    send_batch_interval_minutes: flags['batch-interval'],
    send_batch_max: flags['batch-max'],
    send_batch_min: flags['batch-min'],
    daily_send_limit: flags['daily-limit'],
    folders: flags.folders === 'none' ? null : flags.folders,
    from_name: flags['from-name'],
    gap_max_seconds: flags['gap-max'],
    gap_min_seconds: flags['gap-min'],
    list_id: flags['list-id'] === 'none' ? null : flags['list-id']?.toLowerCase(),
    minute_send_limit: flags['minute-limit'],
    ramp_ceiling: flags['ramp-ceiling'],
    ramp_increment: flags['ramp-increment'],
    ramp_start: flags['ramp-start'],
    sent_copy: flags['sent-copy'],
    is_shared_to_all: flags.shared === undefined ? undefined : flags.shared === 'true',
    signature_template_id: flags.signature,
    timezone: flags.timezone,
    tracking_host: flags['tracking-host'] === 'none' ? null : flags['tracking-host'],
    send_window_end_hour: flags['window-end'],
    send_window_start_hour: flags['window-start'],
  };
}
