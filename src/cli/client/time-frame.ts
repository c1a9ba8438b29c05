import { systemClock } from '../../core/clock.ts';
import { zoneOrUtc } from '../../core/zone.ts';
import type { TimeFrame } from '../instant.ts';
import type { Api } from './api.ts';

/** Returns the frame for times in flags, in the zone of the workspace, or UTC if it has none. */
export async function timeFrame(api: Api, towards: TimeFrame['towards']): Promise<TimeFrame> {
  const { timezone } = await api.access.workspace.query({});
  return frameIn(timezone ?? 'UTC', towards);
}

/** Returns the frame in the zone of a campaign. */
export const campaignFrame = async (api: Api, id: number, towards: TimeFrame['towards']): Promise<TimeFrame> =>
  frameIn((await api.campaigns.get.query({ id })).timezone, towards);

/** Returns the frame in a given zone. */
export const frameIn = (timezone: string, towards: TimeFrame['towards']): TimeFrame => ({
  timezone: zoneOrUtc(timezone),
  now: systemClock.now(),
  towards,
});
