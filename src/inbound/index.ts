export { duePolls, ensurePolled, pollAccount, pollsAwaited } from './poll.ts';
export { MailboxWatch } from './watch.ts';
