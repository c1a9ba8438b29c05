/** The flags that fill fields of the API under another name. */
const FIELD_FLAGS: Readonly<Record<string, string>> = {
  ab_split_percent: 'ab-split',
  ab_test_enabled: 'ab-test',
  account_ids: 'accounts',
  campaign_ids: 'campaigns',
  custom_fields: 'field',
  daily_send_limit: 'daily-limit',
  expires_at: 'expires',
  gap_max_seconds: 'gap-max',
  gap_min_seconds: 'gap-min',
  is_shared_to_all: 'shared',
  later_until: 'until',
  more_hours: 'hours',
  remove: 'untag',
  send_at: 'at',
  send_batch_interval_minutes: 'batch-interval',
  send_batch_max: 'batch-max',
  send_batch_min: 'batch-min',
  send_window_end_hour: 'window-end',
  send_window_start_hour: 'window-start',
  sending_days: 'days',
  sending_hour_end: 'hours',
  sending_hour_end_b: 'hours-b',
  sending_hour_start: 'hours',
  sending_hour_start_b: 'hours-b',
  signature_template_id: 'signature',
  starts_at: 'at',
  step_order: 'step',
  subsequences: 'subsequence',
  types: 'events',
};

/** The name of the flag that fills a field. */
export const flagName = (field: string): string => FIELD_FLAGS[field] ?? field.replaceAll('_', '-');

/** The field that a message is about, `settings.timezone: …` or `tags.add[0]: …`, and those that it names in its course. */
const ABOUT = /^[a-z_]+(?:\[\d+\]|\.[a-z_]+)*(?=: )/;
const NAMED = /"([a-z_]+)": true|\b([a-z]+(?:_[a-z]+)+)\b/g;

/**
 * Names the flags where a message of the API names the fields that they fill: `--name: must not be empty`. Other fields keep their names.
 * @param flags of the command
 */
export function withFlags(message: string, flags: Readonly<Record<string, unknown>>): string {
  // A flag takes the name or the id of a record: --list fills list_id. One that may be repeated fills a list: --tag fills tags.
  const flagOf = (field: string) =>
    [field, field.replace(/_id$/, ''), field.replace(/s$/, '')].map(flagName).find((name) => Object.hasOwn(flags, name));
  const named = (text: string, ...fields: string[]) => {
    const flag = fields.map(flagOf).findLast((name) => name !== undefined);
    return flag === undefined ? text : `--${flag}`;
  };
  return message
    .replace(ABOUT, (path) => named(path, ...path.split(/[[\].\d]+/)))
    .replaceAll(NAMED, (text, set?: string, field?: string) => named(text, set ?? field ?? ''));
}
