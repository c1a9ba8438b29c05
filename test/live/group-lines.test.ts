import { describe, expect, it } from 'vitest';
import type { CampaignLine } from '../../src/live/campaign-lines.ts';
import { groupLines } from '../../src/live/group-lines.ts';

const line = (id: number, changed: Partial<CampaignLine> = {}): CampaignLine => ({
  ...{ id, rotation_id: null, name: `C${id}`, status: 'draft', account_email: `a${id}@example.com`, contacts: 1, sent: 2 },
  ...{
    tracks_opens: true,
    tracks_clicks: false,
    opened: 3,
    clicked: 4,
    replied: 5,
    bounced: 6,
    failed: 7,
    finished: 8,
    next_send_at: null,
  },
  ...changed,
});
const inGroup = (id: number, changed: Partial<CampaignLine> = {}) => line(id, { rotation_id: 9, ...changed });

describe('the lines of campaigns', () => {
  it('stay as they are outside rotation groups', () => {
    expect(groupLines([line(2), line(1)])).toEqual([
      { ...line(2), members: [] },
      { ...line(1), members: [] },
    ]);
  });

  it('of a rotation group are one, with the name of the first, sums and the next email of all, in the place of the first shown', () => {
    const next = { next_send_at: '2026-07-07 12:00:00' };
    const members = [inGroup(3, { next_send_at: '2026-07-08 12:00:00', status: 'paused' }), inGroup(1), inGroup(2, next)];
    const [group, alone] = groupLines([members[0] ?? line(0), line(5), ...members.slice(1)]);
    expect(group).toMatchObject({
      ...{ id: 1, rotation_id: 9, name: 'C1', status: 'paused', account_email: '3 accounts', contacts: 3, sent: 6, opened: 9 },
      ...{ clicked: 12, replied: 15, bounced: 18, failed: 21, finished: 24, ...next },
    });
    expect(group?.members.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(alone?.id).toBe(5);
  });

  it.each([
    [['draft', 'active', 'paused'], 'active'],
    [['completed', 'draft'], 'draft'],
    [['completed', 'completed'], 'completed'],
  ] as const)('%j make a group that is %s', (statuses, status) => {
    expect(groupLines(statuses.map((own, index) => inGroup(index + 1, { status: own })))[0]?.status).toBe(status);
  });
});
