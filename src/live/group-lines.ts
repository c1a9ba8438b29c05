import type { CampaignStatus } from '../campaigns/index.ts';
import { quantity } from '../core/english.ts';
import type { CampaignLine } from './campaign-lines.ts';

/** A campaign, or a rotation group as if it were one: its counts are sums, `id` and `name` those of its first campaign. */
export interface GroupLine extends CampaignLine {
  /** The campaigns of a rotation group, by id; empty for a campaign without a group. */
  members: CampaignLine[];
}

/** Combines the campaigns of each rotation group to one line, in the place of the first of them. */
export function groupLines(lines: readonly CampaignLine[]): GroupLine[] {
  const groups = Map.groupBy(lines, ({ id, rotation_id }) => (rotation_id === null ? `campaign ${id}` : `group ${rotation_id}`));
  return [...groups.values()].map(([first, ...others]) => {
    if (first === undefined) throw new Error('a group has a line');
    return first.rotation_id === null ? { ...first, members: [] } : together([first, ...others]);
  });
}

function together(lines: readonly [CampaignLine, ...CampaignLine[]]): GroupLine {
  const members = lines.toSorted((a, b) => a.id - b.id);
  const { id, rotation_id, name } = members[0] ?? lines[0];
  const sum = (count: (line: CampaignLine) => number) => members.reduce((total, line) => total + count(line), 0);
  const times = members.flatMap(({ next_send_at }) => next_send_at ?? []).sort();
  return {
    id,
    rotation_id,
    name,
    status: statusOf(members),
    account_email: quantity(members.length, 'account'),
    tracks_opens: members.some(({ tracks_opens }) => tracks_opens),
    tracks_clicks: members.some(({ tracks_clicks }) => tracks_clicks),
    contacts: sum(({ contacts }) => contacts),
    sent: sum(({ sent }) => sent),
    opened: sum(({ opened }) => opened),
    clicked: sum(({ clicked }) => clicked),
    replied: sum(({ replied }) => replied),
    bounced: sum(({ bounced }) => bounced),
    failed: sum(({ failed }) => failed),
    finished: sum(({ finished }) => finished),
    next_send_at: times[0] ?? null,
    members,
  };
}

/** Returns the status as in `RotationRow`: `active` if any campaign is, else `paused`, else `draft`. */
const statusOf = (members: readonly CampaignLine[]): CampaignStatus =>
  (['active', 'paused', 'draft'] as const).find((status) => members.some((member) => member.status === status)) ?? 'completed';
