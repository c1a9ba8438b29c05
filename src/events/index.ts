export { campaignObject } from './campaign-object.ts';
export { countEnrolments, createCounters, lockCampaigns, lockForCounting } from './counters.ts';
export { sumUpDomains } from './domain-totals.ts';
export { type EmailMark, forgetDomains, markEmails, unmarkEmail } from './email-marks.ts';
export { EVENT_TYPES, type EventType, type NewEvent } from './event.ts';
export { eventBlocks } from './event-blocks.ts';
export { type EventRow, eventColumns, listCampaignEvents, listEvents, replySnippet } from './feed.ts';
export { listEventsAfter, withContacts } from './follow.ts';
export { hasEvent, wasLogged } from './logged.ts';
export { MEASURES, type Measure, measureSums } from './measures.ts';
export { pastEventMessages } from './publish-events.ts';
export { moveEvents, recordEnrolled, recordEvents } from './record-events.ts';
export { type Correction, recountCampaign, recountEach, recountMoved, recountStats } from './recount.ts';
export { retractEvents } from './retract-events.ts';
export { isWhole, type ReportDays, seenCells } from './seen-cells.ts';
export {
  countedByDomain,
  hiddenDomains,
  largestDomains,
  mostOnOtherDays,
  seenProviders,
  sentByDomain,
  unsettledDomains,
} from './seen-domains.ts';
export { hiddenCounts, seenCounts } from './stats.ts';
export { countedRows, seenContacts } from './totals.ts';
