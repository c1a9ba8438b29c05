export { duePolls, MailboxPoller, readPollBacklog } from './poll.ts';
export { MailboxWatch } from './watch.ts';
