export { type CampaignProgress, campaignProgress, type StepProgress, type VariantProgress } from './campaign-progress.ts';
export type { Changed, OverviewChanges } from './changes.ts';
export type { LiveEvent, LiveEvents } from './event-tail.ts';
export type { AccountLine, CampaignLine, Overview, QueueState } from './overview.ts';
export { type Push, watch } from './watch.ts';
