import { declarationOf, EVENT_TYPES } from '../core/event-types.ts';
import type { AccountLine, CampaignLine, GroupLine, LiveEvent } from '../live/index.ts';
import { bar, clockTime, count, percentOf, relative } from '../terminal/format.ts';
import { stateColor, stateText } from '../terminal/states.ts';
import type { CallLine } from './state.ts';
import type { Column } from './table.tsx';

/** A newer server may have more types. */
const EVENT_COLOR: Record<string, string | undefined> = Object.fromEntries(EVENT_TYPES.map((type) => [type, declarationOf(type).color]));

const BAR_WIDTH = 8;

/** Formats a count of opens or clicks; a dash if they are not tracked. */
const seen = (counted: number, isTracked: boolean): string => (counted > 0 || isTracked ? count(counted) : '–');

/** These columns show counts. The page of a campaign shows rates, which the report computes from the contacts who were emailed, not from all. */
export const CAMPAIGN_COLUMNS: readonly Column<GroupLine>[] = [
  { title: 'Campaign', width: 'grow', text: (row) => row.name },
  { title: 'Status', width: 11, text: (row) => stateText(row.status), color: (row) => stateColor(row.status) },
  {
    title: 'Finished',
    width: BAR_WIDTH + 5,
    rank: 1,
    text: (row) => `${bar(row.finished / Math.max(1, row.contacts), BAR_WIDTH)} ${percentOf(row.finished, row.contacts)}`,
  },
  { title: 'Sent', width: 7, isRight: true, text: (row) => count(row.sent) },
  { title: 'Open', width: 5, isRight: true, text: (row) => seen(row.opened, row.tracks_opens) },
  { title: 'Click', width: 5, isRight: true, rank: 3, text: (row) => seen(row.clicked, row.tracks_clicks) },
  { title: 'Reply', width: 5, isRight: true, text: (row) => count(row.replied) },
  {
    title: 'Bounce',
    width: 6,
    isRight: true,
    rank: 2,
    text: (row) => count(row.bounced),
    color: (row) => (row.sent >= 50 && row.bounced / row.sent >= 0.05 ? 'red' : undefined),
  },
  {
    title: 'Failed',
    width: 6,
    isRight: true,
    rank: 4,
    text: (row) => count(row.failed),
    color: (row) => (row.failed > 0 ? 'red' : undefined),
  },
  { title: 'Next send', width: 11, text: (row, now) => relative(row.next_send_at, now) },
  { title: 'Account', width: 26, rank: 5, text: (row) => row.account_email },
];

/** The campaigns of an open rotation group. */
export const MEMBER_COLUMNS: readonly Column<CampaignLine>[] = [
  { title: 'Account', width: 'grow', text: (row) => row.account_email },
  { title: 'Status', width: 11, text: (row) => stateText(row.status), color: (row) => stateColor(row.status) },
  { title: 'Contacts', width: 9, isRight: true, text: (row) => count(row.contacts) },
  { title: 'Finished', width: 8, isRight: true, text: (row) => count(row.finished) },
  { title: 'Sent', width: 7, isRight: true, text: (row) => count(row.sent) },
  { title: 'Reply', width: 5, isRight: true, text: (row) => count(row.replied) },
  { title: 'Next send', width: 11, text: (row, now) => relative(row.next_send_at, now) },
];

export const ACCOUNT_COLUMNS: readonly Column<AccountLine>[] = [
  { title: 'Account', width: 'grow', text: (row) => row.email },
  { title: 'Status', width: 14, text: (row) => stateText(row.status), color: (row) => stateColor(row.status) },
  {
    title: 'Today',
    width: 18,
    text: (row) => `${bar(row.sent_today / Math.max(1, row.daily_limit), 6)} ${row.sent_today}/${row.daily_limit}`,
  },
  {
    title: 'Window',
    width: 14,
    text: (row, now) => (row.is_open ? 'open' : `opens ${relative(row.opens_at, now)}`),
    color: (row) => (row.is_open ? 'green' : undefined),
  },
  { title: 'Hours', width: 26, rank: 5, text: (row) => row.window },
  { title: 'Next batch', width: 11, rank: 2, text: (row, now) => relative(row.status === 'active' ? row.next_batch_at : null, now) },
  {
    title: 'Last poll',
    width: 13,
    text: (row, now) => relative(row.last_polled_at, now),
    color: (row) => (row.poll_error === null ? undefined : 'red'),
  },
];

export const EVENT_COLUMNS: readonly Column<LiveEvent>[] = [
  { title: 'Time (UTC)', width: 11, text: (row, now) => clockTime(row.timestamp, now) },
  { title: 'Event', width: 12, text: (row) => row.type, color: (row) => EVENT_COLOR[row.type] },
  { title: 'Contact', width: 'grow', text: (row) => row.contact_email },
  { title: 'Campaign', width: 30, least: 10, rank: 1, text: (row) => row.campaign_name },
  { title: 'Step', width: 4, isRight: true, text: (row) => String(row.step_order) },
  { title: 'Link', width: 40, rank: 5, text: (row) => row.url ?? '' },
];

export const CALL_COLUMNS: readonly Column<CallLine>[] = [
  { title: 'Due', width: 11, text: (row, now) => relative(row.due_at, now) },
  { title: 'Contact', width: 24, least: 12, text: (row) => row.name },
  { title: 'Company', width: 16, rank: 2, text: (row) => row.company ?? '' },
  { title: 'Email', width: 40, least: 14, text: (row) => row.email },
  { title: 'Campaign', width: 20, rank: 3, text: (row) => row.campaign_name },
  { title: 'Notes', width: 'grow', text: (row) => row.notes.replaceAll(/<[^<>]*>/g, ' ') },
];
