import type { Api } from './api.ts';
import { membersOf } from './group-contacts.ts';

type HitCount = Awaited<ReturnType<Api['sending']['tracking']['query']>>['data'][number];

/** Returns the opens and clicks of a campaign; for a rotation group the sums over its campaigns, which have no contacts in common. */
export async function trackingOf(api: Api, campaignId: number): Promise<HitCount[]> {
  const members = (await membersOf(api, campaignId)) ?? [{ campaign_id: campaignId }];
  const counted = await Promise.all(members.map(({ campaign_id: id }) => api.sending.tracking.query({ id })));
  const sums = new Map<string, HitCount>();
  for (const row of counted.flatMap(({ data }) => data)) {
    const known = sums.get(`${row.kind} ${row.by}`);
    const last_at = known !== undefined && known.last_at > row.last_at ? known.last_at : row.last_at;
    const sum = { ...row, hits: row.hits + (known?.hits ?? 0), contacts: row.contacts + (known?.contacts ?? 0), last_at };
    sums.set(`${row.kind} ${row.by}`, sum);
  }
  return [...sums.values()];
}
