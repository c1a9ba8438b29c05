export { type Classification, classifyRaw, VERDICTS, type Verdict } from './classify/index.ts';
export { duePolls, ensurePolled, type PollResult, pollAccount, pollsAwaited } from './poll.ts';
