export { duePolls, ensurePolled, pollAccount, readPollBacklog } from './poll.ts';
export { MailboxWatch } from './watch.ts';
