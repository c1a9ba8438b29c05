export type { AccountLine } from './account-lines.ts';
export { ACTIVITIES, readActivity } from './activity.ts';
export type { CampaignLine } from './campaign-lines.ts';
export { campaignProgress, type VariantProgress } from './campaign-progress.ts';
export type { Changed } from './changes.ts';
export type { LiveEvent } from './event-tail.ts';
export type { GroupLine } from './group-lines.ts';
export type { Overview } from './overview.ts';
export { type Push, watch } from './watch.ts';
