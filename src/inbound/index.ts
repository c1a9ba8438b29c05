export { wasAnswered } from './answered.ts';
export { countAutoReplied, countUnreadable } from './apply.ts';
export { countMissing, missedMessages } from './missed-messages.ts';
export { MailboxPoller, nextPollOf, readPollBacklog } from './poll.ts';
export { pruneMessages } from './prune-messages.ts';
export { decideRemoval, reclassifyReply } from './reclassify.ts';
export { MailboxWatch } from './watch.ts';
