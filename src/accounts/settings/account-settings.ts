import { choice, idOrNone, integer, integerOrNone, list, type OptionValues, onOff, text, textOrNone } from '../../fields/option.ts';

const TAG = {
  pattern: /^[a-z0-9][a-z0-9._-]{0,49}$/,
  fault: 'must be at most 50 lower-case letters, digits, dots, dashes or underscores',
};

/** RFC 2919 §2: a label and a domain, as dot-atom-text. */
const LIST_ID = {
  pattern: /^[\w!#$%&'*+/=?^`{|}~-]+(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?){2,}$/,
  fault: 'must be a name and a domain of yours, such as offers.example.com, at most 255 characters',
};

/** The settings that the record of an account in the API specification has. */
export const RECORD_SETTINGS = {
  from_name: text(
    { of: 'line', max: 255 },
    { text: 'Sender name that recipients see', default: '', example: 'Zoe Miller', placeholder: 'N' },
  ),
  daily_send_limit: integer(0, 1_000_000, {
    text: "Maximum emails per day, in the account's time zone",
    default: 50,
    placeholder: 'N',
    flag: 'daily-limit',
  }),
  timezone: text(
    { of: 'zone', max: 64 },
    { text: 'Time zone of its day and its sending window', default: 'UTC', example: 'Europe/Berlin', placeholder: 'Z' },
  ),
  send_window_start_hour: integer(0, 23, { text: 'Hour when sending starts', default: 8, placeholder: 'H', flag: 'window-start' }),
  send_window_end_hour: integer(1, 24, { text: 'Hour when sending ends', default: 18, placeholder: 'H', flag: 'window-end' }),
  send_batch_min: integer(1, 10_000, { text: 'Minimum emails per batch', default: 1, placeholder: 'N', flag: 'batch-min' }),
  send_batch_max: integer(1, 10_000, { text: 'Maximum emails per batch', default: 3, placeholder: 'N', flag: 'batch-max' }),
  send_batch_interval_minutes: integer(1, 1_440, {
    text: 'Minutes between batches',
    default: 10,
    placeholder: 'MIN',
    flag: 'batch-interval',
  }),
};

/** The settings that are among the details of an account. A new one is an entry here and a column in a migration. */
export const DETAIL_SETTINGS = {
  gap_min_seconds: integer(0, 3_600, {
    text: 'Shortest pause between two emails of a batch',
    default: 0,
    placeholder: 'SECONDS',
    flag: 'gap-min',
  }),
  gap_max_seconds: integer(0, 3_600, {
    text: 'Longest pause between two emails of a batch',
    default: 0,
    example: 30,
    placeholder: 'SECONDS',
    flag: 'gap-max',
  }),
  minute_send_limit: integerOrNone(1, 10_000, {
    text: 'Maximum emails per minute, as the provider limits it; 30 for new accounts at Microsoft',
    example: 30,
    placeholder: 'N',
  }),
  ramp_start: integerOrNone(1, 1_000_000, {
    text: 'Emails on the first day of a ramp-up, which starts on the day that this is set',
    example: 5,
    placeholder: 'N',
  }),
  ramp_increment: integerOrNone(1, 1_000_000, {
    text: 'Emails that each further day of the ramp-up adds',
    example: 3,
    placeholder: 'N',
  }),
  ramp_ceiling: integerOrNone(1, 1_000_000, {
    text: 'Emails per day at which the ramp-up ends; by default the daily limit',
    example: 40,
    placeholder: 'N',
  }),
  signature_template_id: idOrNone({
    text: 'Template to use for {{signature}}, by id or name',
    example: 12,
    placeholder: 'TEMPLATE',
    flag: 'signature',
  }),
  tracking_host: textOrNone(
    { of: 'line', max: 255 },
    { text: 'Host name for links in its emails', example: 'links.example.com', placeholder: 'HOST' },
  ),
  folders: textOrNone(
    { of: 'line', max: 1_000 },
    {
      text: 'Folders to poll beside the inbox and the folders for spam and all mail, separated by commas',
      example: 'Archive,Support',
      placeholder: 'NAMES',
    },
  ),
  list_id: textOrNone(
    { of: LIST_ID, max: 255, letters: 'lower' },
    {
      text: 'Value of the header List-Id of its emails (RFC 2919); emails to one person usually have none',
      example: 'offers.example.com',
      placeholder: 'NAME',
    },
  ),
  sent_copy: choice(['auto', 'append', 'never'], {
    text: 'Who puts copies of answers to replies into its Sent folder: Outreach where the server does not, always Outreach, or nobody',
    default: 'auto',
  }),
  placement_weekly: onOff({ text: 'Repeat its latest placement test each week', default: false }),
  tags: list({ of: TAG, most: 20 }, { text: 'Words by which commands choose several accounts', example: ['us'], flag: null }),
  is_shared_to_all: onOff({ text: 'Share the account with everyone in the workspace', default: true, flag: 'shared' }),
};

/** The settings of an account that users can change. */
export const ACCOUNT_SETTINGS = { ...RECORD_SETTINGS, ...DETAIL_SETTINGS };

/** The values of an account's settings. */
export type AccountSettings = OptionValues<typeof ACCOUNT_SETTINGS>;
