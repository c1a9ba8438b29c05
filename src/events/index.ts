export { campaignObject } from './campaign-object.ts';
export { forgetDomains, moveEvents, retractEvents, retractRefusal, unmarkEmail } from './correct.ts';
export type { NewEvent } from './event.ts';
export { type EventRow, eventColumns, listCampaignEvents, listEvents, replySnippet } from './feed.ts';
export { foldEvents, recountTotals } from './fold.ts';
export { listEventsAfter, withContacts } from './follow.ts';
export { hasEvent, isLogged, wasLogged } from './logged.ts';
export { MEASURES, type Measure, measureSums } from './measures.ts';
export { pastEventMessages } from './publish-events.ts';
export { markEmails, recordEnrolled, recordEvents } from './record.ts';
export { isSameEmail } from './same-email.ts';
export {
  campaignCounts,
  countedDomains,
  countedEvents,
  isWhole,
  loggedDomains,
  type ReportDays,
  statsColumns,
  variantCounts,
} from './totals.ts';
