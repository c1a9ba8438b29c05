export { campaignObject } from './campaign-object.ts';
export { countEnrolments, createCounters, lockCampaigns, lockForCounting } from './counters.ts';
export { EVENT_TYPES, type EventType, type NewEvent } from './event.ts';
export { type EventRow, eventColumns, listCampaignEvents, listEvents } from './feed.ts';
export { pastEventMessages } from './publish-events.ts';
export { moveEvents, recordEnrolled, recordEvents } from './record-events.ts';
export { recountCampaign, recountStats } from './recount.ts';
export { type CampaignStats, campaignStats, hiddenCounts, seenCounts } from './stats.ts';
export { countedRows, seenContacts } from './totals.ts';
