import { Flags } from '@oclif/core';
import { localText } from '../../terminal/local-text.ts';
import type { Api } from '../client/api.ts';
import { userIdOf } from '../client/users.ts';

/** The flags that schedule a report. */
export const weeklyFlags = {
  email: Flags.string({
    description: 'id or email address of the user who gets the report by email',
    helpValue: 'TO',
    dependsOn: ['weekly'],
    exclusive: ['html', 'csv'],
  }),
  weekly: Flags.boolean({ description: 'send it each Monday at 8:00, in the zone of the workspace', dependsOn: ['email'] }),
  off: Flags.boolean({ description: 'stop the weekly email', dependsOn: ['weekly'] }),
};

/**
 * Sets whether a user gets a report each week. Returns what to print, and the weekly reports that are left.
 * @param campaignId null for the report on all campaigns
 */
export async function setWeekly(api: Api, email: string, campaignId: number | null, isOn: boolean) {
  const user_id = await userIdOf(api, email);
  const { data } = await api.weeklyReports.set.mutate({ user_id, campaign_id: campaignId, is_on: isOn });
  const set = data.find((report) => report.user_id === user_id && report.campaign_id === campaignId);
  const line =
    set === undefined
      ? `${email} no longer gets this report.`
      : `${email} gets this report by email each Monday at 8:00, next at ${localText(set.next_at, set.timezone)}.`;
  return { line, reports: { data } };
}
