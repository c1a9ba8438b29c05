export { type Classification, classifyRaw, VERDICTS, type Verdict } from './classify/index.ts';
export { duePolls, ensurePolled, pollAccount, pollsAwaited } from './poll.ts';
export { MailboxWatch } from './watch.ts';
