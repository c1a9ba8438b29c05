export { wasAnswered } from './answered.ts';
export { countAutoReplied, countUnreadable } from './count-messages.ts';
export { countMissing, missedMessages } from './missed-messages.ts';
export { MailboxPoller } from './poll.ts';
export { nextPollOf, readPollBacklog } from './poll-due.ts';
export { pruneMessages } from './prune-messages.ts';
export { decideRemoval, reclassifyReply } from './reclassify.ts';
export { MailboxWatch } from './watch.ts';
