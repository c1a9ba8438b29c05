import type { SendingWindow } from '../../campaigns/index.ts';

import type { DayLeft } from './day-left.ts';

/** Contacts of a campaign that share a sending window. */
export interface Group {
  /** True for variant B of an A/B test, false for all other contacts, null if variants are not distinguished. */
  isB: boolean | null;
  /** Time zones of its contacts, `''` for contacts without a zone; null if the campaign's time zone applies to all. */
  zones: readonly string[] | null;
  window: SendingWindow;
  /** True for first emails, false for follow-ups. Only set if the campaign limits new contacts; otherwise both share one group. */
  isFirst?: boolean;
  /** Number of due emails, counted up to the size of a batch. */
  due: number;
  /** Time at which the next email becomes due; null if no email will. */
  nextDue: Date | null;
}

/** A campaign that sends from the account, with its due emails. */
export interface CampaignState {
  id: number;
  /** Time zone of its calendar days. */
  timezone: string;
  /** Region whose public holidays do not count as business days; none by default. */
  holidays?: string | null;
  startsAt: Date | null;
  groups: readonly Group[];
  /** True if the campaign has a daily limit, so its claims are counted. */
  isLimited?: boolean;
  /** Number of first emails that the campaign may still send on its local day, and the start of the next day; unset without a limit. */
  newContacts?: { left: number; nextDay: Date };
  /** The rest of today's limits; unset without limits. */
  left?: DayLeft;
  /** The owner of the limits: the campaign, or its rotation group as a negative number. */
  sequence?: number;
}

/** Returns true if the campaign may send no more first emails today. */
export const isFull = ({ newContacts }: CampaignState): boolean => newContacts !== undefined && newContacts.left <= 0;

/** Finds the group of a contact; undefined if no group has a known time zone for it. */
export const groupOf = <Some extends Pick<Group, 'isB' | 'zones' | 'isFirst'>>(
  groups: readonly Some[],
  contact: { variant: 'A' | 'B' | null; timezone: string | null; isFollowUp?: boolean },
): Some | undefined =>
  groups.find(
    ({ isB, zones, isFirst }) =>
      (isB === null || isB === (contact.variant === 'B')) &&
      (zones === null || zones.includes(contact.timezone ?? '')) &&
      (isFirst === undefined || contact.isFollowUp === undefined || isFirst !== contact.isFollowUp),
  );
