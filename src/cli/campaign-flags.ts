import { Flags, type Interfaces } from '@oclif/core';
import { CAMPAIGN_OPTIONS, type CampaignOptions } from '../campaigns/options/index.ts';
import { invalid } from '../core/errors.ts';
import { flagText } from '../fields/option-text.ts';
import { flagsOf, optionsIn } from './option-flags.ts';

const trueOrFalse = (description: string) => Flags.option({ options: ['true', 'false'] as const, description })();
const isTrue = (text: 'true' | 'false' | undefined) => (text === undefined ? undefined : text === 'true');

/** The flags that `campaign create` and `campaign set` share. */
export const campaignFlags = {
  ...flagsOf(CAMPAIGN_OPTIONS),
  'ab-split': Flags.integer({ description: 'percentage of contacts in group A', min: 1, max: 99, helpValue: 'N' }),
  'ab-test': trueOrFalse('send variant B of the steps to group B'),
  days: Flags.string({ description: 'days to send on, such as mon,tue or mon-fri', helpValue: 'DAYS' }),
  existing: Flags.boolean({ description: 'with --list, also enrol the contacts who are on the list now', dependsOn: ['list'] }),
  hours: Flags.string({ description: 'sending hours, such as 9-17 or 9-12,14-17', helpValue: 'H-H' }),
  'hours-b': Flags.string({ description: 'sending hours of group B, such as 13-17, or none for those of group A', helpValue: 'H-H' }),
  list: Flags.string({ description: `${flagText(CAMPAIGN_OPTIONS.list_id)}; its id or name`, helpValue: 'LIST' }),
  'reply-to': Flags.string({ description: 'address that replies go to, or none for the account', helpValue: 'EMAIL' }),
  shared: trueOrFalse('share the campaign with everyone in the workspace'),
  subsequence: Flags.string({
    description: `${flagText(CAMPAIGN_OPTIONS.subsequences)}, such as "label interested: Demo" or "finished after 3 days: Win back"; may be repeated, replaces all, or none`,
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'RULE',
  }),
  timezone: Flags.string({ description: 'time zone of the sending hours, such as Europe/Berlin', helpValue: 'Z' }),
};

type CampaignFlags = Interfaces.InferredFlags<typeof campaignFlags>;

/** The fields of the campaign's record in the flags; undefined for those not given. Throws `invalid_request` naming the flag. */
export function recordFrom(flags: CampaignFlags) {
  const [start, end] = flags.hours === undefined ? [] : hoursOf(windowsOf(flags.hours)[0] ?? '', '--hours');
  const b = flags['hours-b'];
  const [startB, endB] = b === undefined ? [] : b === 'none' ? [null, null] : hoursOf(b, '--hours-b');
  return {
    ab_split_percent: flags['ab-split'],
    ab_test_enabled: isTrue(flags['ab-test']),
    is_shared_to_all: isTrue(flags.shared),
    reply_to: flags['reply-to'] === 'none' ? null : flags['reply-to'],
    sending_days: flags.days === undefined ? undefined : daysOf(flags.days),
    sending_hour_end: end,
    sending_hour_end_b: endB,
    sending_hour_start: start,
    sending_hour_start_b: startB,
    timezone: flags.timezone,
  };
}

/** Returns the campaign's options in the flags: those that are not fields of its record. */
export const optionsFrom = (flags: CampaignFlags): Partial<CampaignOptions> => ({
  ...optionsIn(CAMPAIGN_OPTIONS, flags),
  ...(flags.hours === undefined ? {} : { more_hours: windowsOf(flags.hours).slice(1) }),
});

/** True if any field is given. */
export const hasAny = (fields: object): boolean => Object.values(fields).some((value) => value !== undefined);

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Parses days of the week, such as `mon,wed` or `mon-fri`; Monday is 1. Throws `invalid_request`. */
export function daysOf(text: string): number[] {
  const days = text
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [first = '', last = first, ...rest] = part.trim().split('-');
      const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
      if (from === -1 || to === -1 || rest.length > 0)
        throw invalid(`--days: "${part.trim()}" is not a day; give days such as mon,tue or mon-fri`);
      // A range such as sat-mon crosses the end of the week.
      return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => ((from + index) % 7) + 1);
    });
  return [...new Set(days)].sort();
}

const windowsOf = (hours: string): string[] => hours.split(',').map((window) => window.trim());

/** Parses the start and end hours in `9-17`. The server checks their values. Throws `invalid_request` naming the flag. */
function hoursOf(text: string, flag: string): [number, number] {
  const [, start, end] = /^(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? [];
  if (start === undefined || end === undefined) throw invalid(`${flag}: must be two hours such as 9-17`);
  if (start === end) throw invalid(`${flag}: must be two different hours; 0-24 is the whole day`);
  return [Number(start), Number(end)];
}
