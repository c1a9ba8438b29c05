import { Flags, type Interfaces } from '@oclif/core';
import { invalid } from '../core/errors.ts';

const trueOrFalse = (description: string) => Flags.option({ options: ['true', 'false'] as const, description })();
const isTrue = (text: 'true' | 'false' | undefined) => (text === undefined ? undefined : text === 'true');

/** The flags that `campaign create` and `campaign set` share. */
export const campaignFlags = {
  'ab-split': Flags.integer({ description: 'percentage of contacts in group A', min: 1, max: 99, helpValue: 'N' }),
  'ab-test': trueOrFalse('send variant B of the steps to group B'),
  'auto-reopen': trueOrFalse('restart a completed campaign when a contact is enrolled'),
  bcc: Flags.string({
    description: 'addresses that get a copy of each email in secret, such as crm@example.com, or none',
    helpValue: 'EMAILS',
  }),
  cc: Flags.string({ description: 'addresses that get a copy of each email for everybody to see, or none', helpValue: 'EMAILS' }),
  'contact-timezone': trueOrFalse('apply the sending hours in the time zone in the contact\'s custom field "timezone"'),
  days: Flags.string({ description: 'days to send on, such as mon,tue or mon-fri', helpValue: 'DAYS' }),
  existing: Flags.boolean({ description: 'with --list, also enrol the contacts who are on the list now', dependsOn: ['list'] }),
  footer: trueOrFalse('add the footer of the workspace to emails without an unsubscribe link'),
  holidays: Flags.string({
    description: 'country or part of it on whose public holidays nothing is sent, such as DE-BY, or none',
    helpValue: 'REGION',
  }),
  hours: Flags.string({ description: 'sending hours, such as 9-17 or 9-12,14-17', helpValue: 'H-H' }),
  'hours-b': Flags.string({ description: 'sending hours of group B, such as 13-17, or none for those of group A', helpValue: 'H-H' }),
  list: Flags.string({ description: 'id or name of a list whose new members are enrolled as they join it, or none', helpValue: 'LIST' }),
  'max-per-company-per-day': Flags.string({
    description: 'most emails on a day to addresses with the same domain, or none for no limit',
    helpValue: 'N',
  }),
  'new-contacts-per-day': Flags.string({ description: 'most first emails on a day, or none for no limit', helpValue: 'N' }),
  'provider-match': Flags.option({
    options: ['off', 'prefer', 'require'] as const,
    description: 'email contacts at Google or Microsoft from accounts of the rotation group there',
  })(),
  'reply-to': Flags.string({ description: 'address that replies go to, or none for the account', helpValue: 'EMAIL' }),
  shared: trueOrFalse('share the campaign with everyone in the workspace'),
  'skip-if-in-campaign': Flags.option({
    options: ['none', 'active', 'any'] as const,
    description: 'do not enrol contacts who are active in another campaign, or were in any',
  })(),
  spintax: trueOrFalse('take one text of each choice {a|b} in subjects and bodies'),
  'stop-company': trueOrFalse('stop contacts with the same email domain when one of them replies'),
  subsequence: Flags.string({
    description:
      'enrol contacts into another campaign, such as "label interested: Demo" or "finished after 3 days: Win back"; may be repeated, replaces all, or none',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'RULE',
  }),
  timezone: Flags.string({ description: 'time zone of the sending hours, such as Europe/Berlin', helpValue: 'Z' }),
  'track-clicks': trueOrFalse('rewrite links to track clicks'),
  'track-opens': trueOrFalse('add an image to track opens'),
  'when-unknown': Flags.option({
    options: ['wait', 'continue'] as const,
    description: 'after an email whose delivery is unknown, wait for proof or your decision, or continue the sequence',
  })(),
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

/** The options beside the record in the flags; undefined for those not given. */
export function optionsFrom(flags: CampaignFlags) {
  return {
    auto_reopen: isTrue(flags['auto-reopen']),
    bcc: addressesOf(flags.bcc),
    cc: addressesOf(flags.cc),
    footer: isTrue(flags.footer),
    holidays: flags.holidays === 'none' ? null : flags.holidays?.toUpperCase(),
    max_per_company_per_day: limitFrom(flags, 'max-per-company-per-day'),
    new_contacts_per_day: limitFrom(flags, 'new-contacts-per-day'),
    skip_if_in_campaign: flags['skip-if-in-campaign'],
    provider_match: flags['provider-match'],
    more_hours: flags.hours === undefined ? undefined : windowsOf(flags.hours).slice(1),
    spintax: isTrue(flags.spintax),
    stop_company: isTrue(flags['stop-company']),
    track_clicks: isTrue(flags['track-clicks']),
    track_opens: isTrue(flags['track-opens']),
    use_contact_timezone: isTrue(flags['contact-timezone']),
    when_unknown: flags['when-unknown'],
  };
}

/** `a@example.com,b@example.com`, or `none`. The server checks them. */
const addressesOf = (text: string | undefined): string[] | undefined =>
  text === 'none' ? [] : text?.split(',').map((address) => address.trim());

/** A number of emails, null for `none`; undefined if the flag is not given. Throws `invalid_request` naming the flag. */
function limitFrom(flags: CampaignFlags, name: 'max-per-company-per-day' | 'new-contacts-per-day'): number | null | undefined {
  const text = flags[name];
  if (text === undefined || text === 'none') return text === undefined ? undefined : null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw invalid(`--${name}: must be a number from 1 on, or none`);
  return Number(text);
}

/** True if any field is given. */
export const hasAny = (fields: object): boolean => Object.values(fields).some((value) => value !== undefined);

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Days of the week from 1, Monday: `mon,wed` or `mon-fri`. Throws `invalid_request`. */
export function daysOf(text: string): number[] {
  const days = text
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [first = '', last = first, ...rest] = part.trim().split('-');
      const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
      if (from === -1 || to === -1 || rest.length > 0)
        throw invalid(`--days: "${part.trim()}" is not a day; give days such as mon,tue or mon-fri`);
      // From Saturday to Monday is over the end of the week.
      return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => ((from + index) % 7) + 1);
    });
  return [...new Set(days)].sort();
}

const windowsOf = (hours: string): string[] => hours.split(',').map((window) => window.trim());

/** The first hour and the hour of the end: `9-17`. The server checks them. Throws `invalid_request` naming the flag. */
function hoursOf(text: string, flag: string): [number, number] {
  const [, start, end] = /^(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? [];
  if (start === undefined || end === undefined) throw invalid(`${flag}: must be two hours such as 9-17`);
  return [Number(start), Number(end)];
}
