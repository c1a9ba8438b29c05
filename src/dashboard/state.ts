import { MINUTE } from '../core/clock.ts';
import type { AccountLine, Changed, GroupLine, LiveEvent, Overview, Push } from '../live/index.ts';
import type { QueueState } from '../monitoring/index.ts';

export type CallLine = Overview['calls'][number];

/** The data of the dashboard. Unchanged rows stay the same objects, so that they are not drawn again. */
export interface DashboardState {
  /** `stale`: the stream is interrupted and being reopened; the last known state is shown. */
  connection: 'connecting' | 'live' | 'stale';
  /** Reason for `stale`, as text for the user. */
  reason: string | null;
  /** The daemon's clock at the last push: UTC, `YYYY-MM-DD HH:MM:SS`. */
  now: string;
  campaigns: readonly GroupLine[];
  accounts: readonly AccountLine[];
  calls: readonly CallLine[];
  queue: QueueState;
  /** Newest first. */
  events: readonly LiveEvent[];
  /** Emails accepted in the last minute. */
  emailsPerMinute: number;
  /** Total of accepted emails at each push of the last minute, for the rate. Oldest first. */
  samples: readonly { at: number; sent: number }[];
}

const MAX_EVENTS = 500;

export const INITIAL_STATE: DashboardState = {
  connection: 'connecting',
  reason: null,
  now: '',
  campaigns: [],
  accounts: [],
  calls: [],
  queue: { in_flight: 0, unknown: 0, batches_due: 0, batch_lag_seconds: 0, polls_due: 0, poll_lag_seconds: 0 },
  events: [],
  emailsPerMinute: 0,
  samples: [],
};

/** Applies a push to the state. @param at milliseconds of the monotonic clock */
export function applyPush(state: DashboardState, push: Push, at: number): DashboardState {
  const before = push.is_first ? { ...state, campaigns: [], accounts: [], calls: [], samples: [] } : state;
  const { changes } = push;
  const campaigns = merged(before.campaigns, changes?.campaigns, campaignOrder);
  const samples = changes === null ? before.samples : sampled(before.samples, campaigns, at);
  return {
    ...before,
    connection: 'live',
    reason: null,
    now: push.now,
    campaigns,
    accounts: merged(before.accounts, changes?.accounts, accountOrder),
    calls: merged(before.calls, changes?.calls, (a, b) => a.due_at.localeCompare(b.due_at) || a.id - b.id),
    queue: changes?.queue ?? before.queue,
    events: withNew(before.events, push.events.events, MAX_EVENTS),
    samples,
    emailsPerMinute: rateOf(samples),
  };
}

/** Marks the state as stale after the stream was interrupted; everything stays visible. */
export const applyLoss = (state: DashboardState, reason: string): DashboardState => ({ ...state, connection: 'stale', reason });

function merged<Row extends { id: number }>(
  rows: readonly Row[],
  changed: Changed<Row> | undefined,
  order: (a: Row, b: Row) => number,
): readonly Row[] {
  if (changed === undefined || (changed.rows.length === 0 && changed.gone.length === 0)) return rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const id of changed.gone) byId.delete(id);
  for (const row of changed.rows) byId.set(row.id, row);
  return [...byId.values()].sort(order);
}

const CAMPAIGN_RANK = { active: 0, paused: 1, draft: 2, completed: 3 };
const campaignOrder = (a: GroupLine, b: GroupLine) => CAMPAIGN_RANK[a.status] - CAMPAIGN_RANK[b.status] || b.id - a.id;

/** Sorts accounts that are not active first, because they need attention. */
const accountOrder = (a: AccountLine, b: AccountLine) =>
  Number(a.status === 'active') - Number(b.status === 'active') || a.email.localeCompare(b.email);

/** Adds new events on top, each once: a reopened stream starts with some known ones. */
function withNew(known: readonly LiveEvent[], fresh: readonly LiveEvent[], most: number): readonly LiveEvent[] {
  if (fresh.length === 0) return known;
  const ids = new Set(known.map((event) => event.id));
  const added = fresh.filter((event) => !ids.has(event.id)).reverse();
  return added.length === 0 ? known : [...added, ...known].slice(0, most);
}

function sampled(samples: DashboardState['samples'], campaigns: readonly GroupLine[], at: number): DashboardState['samples'] {
  const sent = campaigns.reduce((sum, campaign) => sum + campaign.sent, 0);
  return [...samples.filter((sample) => sample.at > at - MINUTE), { at, sent }];
}

function rateOf(samples: DashboardState['samples']): number {
  const [first, last] = [samples[0], samples.at(-1)];
  return first === undefined || last === undefined ? 0 : Math.max(0, last.sent - first.sent);
}
