export { type BatchReport, runBatch, type SendingHooks } from './batch.ts';
export { composeMessage, textOf } from './compose.ts';
export { dueBatches } from './due.ts';
export { resumeLimitedAccounts } from './limited.ts';
export { listOutbox, type OutboxRow, resolveOutbox } from './outbox.ts';
export { type AccountState, type CampaignState, nextBatchTime, type Plan, planBatch } from './plan.ts';
export { type Recovery, recoverOutbox } from './recover.ts';
