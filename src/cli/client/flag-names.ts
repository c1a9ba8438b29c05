/** The flags whose names differ from those of the API fields that they fill. */
const FIELD_FLAGS: Readonly<Record<string, string>> = {
  ab_split_percent: 'ab-split',
  ab_test_enabled: 'ab-test',
  account_ids: 'accounts',
  at: 'daily-summary',
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

/** The field at the start of a message, as in `settings.timezone: …` or `tags.add[0]: …`, and the fields that it names later. */
const ABOUT = /^[a-z_]+(?:\[\d+\]|\.[a-z_]+)*(?=: )/;
const NAMED = /"([a-z_]+)": true|\b([a-z]+(?:_[a-z]+)+)\b/g;

/**
 * Replaces the fields that a message of the API names with the flags that fill them: `--name: must not be empty`. Other fields stay.
 * @param flags of the command
 */
export function withFlags(message: string, flags: Readonly<Record<string, unknown>>): string {
  // A flag takes the name or the id of a record: --list fills list_id. A flag that may be repeated fills a list: --tag fills tags.
  const flagOf = (field: string) =>
    [field, field.replace(/_id$/, ''), field.replace(/s$/, '')]
      .flatMap((name) => [flagName(name), name])
      .find((name) => Object.hasOwn(flags, name));
  const named = (text: string, ...fields: string[]) => {
    const flag = fields.map(flagOf).findLast((name) => name !== undefined);
    return flag === undefined ? text : `--${flag}`;
  };
  return message
    .replace(ABOUT, (path) => named(path, ...path.split(/[[\].\d]+/)))
    .replaceAll(NAMED, (text, set?: string, field?: string) => named(text, set ?? field ?? ''));
}
