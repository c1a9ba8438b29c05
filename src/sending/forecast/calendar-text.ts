import { grouped, quantity } from '../../core/english.ts';
import type { Calendar, CalendarSequence } from './calendar-shape.ts';
import type { UnfinishedCause } from './unfinished.ts';

/** Maximum number of accounts that a sentence lists; the rest are counted. */
const MAX_LISTED = 3;

/** Describes a calendar in sentences: the emails sent, the room left, and the contacts who do not fit, with the reasons. */
export function calendarText({ emails, free, days, until, accounts, campaigns }: Omit<Calendar, 'summary'>): string[] {
  const sending = accounts.filter((account) => account.emails > 0).length;
  const from = sending === 0 ? '' : ` from ${quantity(sending, 'account')}`;
  const room = accounts.filter((account) => account.free > 0).sort((x, y) => y.free - x.free);
  if (accounts.length === 0) return ['Nothing will be sent: no account is connected. Connect one with: outreach account connect ADDRESS'];
  const stopped = accounts.filter(({ can_send }) => !can_send).map(({ account_email }) => account_email);
  return [
    `${quantity(emails, 'email')} will be sent${from} in the next ${quantity(days.length, 'day')}, if nobody replies and nothing is changed.`,
    free === 0
      ? 'The daily limits leave no room for more.'
      : `The daily limits leave room for ${grouped(free)} more: ${listOf(room.map((account) => `${account.account_email} ${grouped(account.free)}`))}.`,
    ...campaigns.filter(({ unfinished }) => unfinished > 0).map((campaign) => unfinishedText(campaign, until)),
    ...(stopped.length === 0 ? [] : [`Nothing is planned for accounts that may not send now: ${listOf(stopped)}.`]),
  ];
}

const unfinishedText = ({ name, contacts, unfinished, causes }: CalendarSequence, until: string): string =>
  `In "${name}", ${grouped(unfinished)} of ${quantity(contacts, 'contact')} will not finish by ${until}: ${causesText(causes)}.`;

/** Formats the causes as the end of a sentence. */
export const causesText = (causes: readonly UnfinishedCause[]): string =>
  causes.map((cause) => `${grouped(cause.contacts)} because ${reasonText(cause)}`).join('; ');

function reasonText({ reason, accounts }: UnfinishedCause): string {
  switch (reason) {
    case 'daily_limit':
      return `of the daily limit of ${listOf(accounts)}`;
    case 'new_contacts_per_day':
      return 'of the limit of new contacts a day (new_contacts_per_day)';
    case 'max_per_company_per_day':
      return 'of the limit for one company (max_per_company_per_day)';
    case 'sending_hours':
      return 'the sending hours hold no more batches';
    case 'waits':
      return 'the start and the waits between the steps leave too little time';
    case 'not_planned':
      return 'they are held, or their account may not send now (see: outreach campaign explain)';
  }
}

const listOf = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${quantity(names.length - MAX_LISTED, 'other')}`;
