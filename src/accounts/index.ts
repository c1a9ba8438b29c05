export { accessToken, accountsWithIdleTokens } from './access-token.ts';
export { accountObject } from './account-object.ts';
export { type AccountState, isAccountActive, limitedAccounts, pauseEveryAccount, setAccountStatus } from './account-status.ts';
export { removeAccount, setAccountArchived } from './archive.ts';
export { endBatchLease, hasBatch, keepBatchLease, takeBatchLease } from './batch-lease.ts';
export { accountIs, canBePolled, canSend, hasReadableMailbox, isLiveAccount, isSameMailbox } from './conditions.ts';
export { type ConnectInput, checkConnect, connectAccount, type MailAccess } from './connect-account.ts';
export { type ConnectRequest, connectInput, serversOf } from './connect-request.ts';
export { openImap, openMailbox, openSmtp, openSmtpSession } from './credentials.ts';
export { type DailyLimit, dailyLimitColumns, dailyLimitOf } from './daily-limit.ts';
export { addBounce, bounceRate, bouncesOf, countEmails, emailsByDay, uncountBounce, uncountEmail } from './days.ts';
export { openDkim } from './dkim-key.ts';
export { accountWorkers, endAccountLeasesOf } from './ended-workers.ts';
export { Account } from './entities.ts';
export { countRefusal, forgetConnectionFailures, forgetFailures, recordConnectionFailure } from './failures.ts';
export { accountsOfMailbox, accountsOfTenant, hasAccountAddress, isHiddenAddress } from './find-accounts.ts';
export {
  accountsToCheck,
  countHealth,
  healthWord,
  type KeptCheck,
  type KeptHealth,
  lockHealth,
  readHealth,
  saveHealth,
  type UnwellAccount,
  unwellAccounts,
} from './health.ts';
export { claimWatches, keepWatches, releaseWatches } from './idle-lease.ts';
export { lockAccount, lockActive, lockConnected, lockLiveAccounts } from './lock-account.ts';
export { mailProviderOf } from './mail-provider.ts';
export {
  dueBatches,
  isAnyAccountBusy,
  readBatchBacklog,
  readBatchWait,
  recordBatch,
  setNextBatch,
  unrecordBatch,
  wakeAccount,
  wakeAccounts,
} from './next-batch.ts';
export { notifyNoLongerRead } from './owner-emails.ts';
export { checkedSeeds, openSeed, requireOpenSeeds, type Seed, type SeedRequest, type WaitingSeed } from './placement-seeds.ts';
export {
  accountsToRepeat,
  accountsWithWaiting,
  addPlacement,
  forgetSeeds,
  isWaiting,
  PLACES,
  type Placement,
  type PlacementTest,
  readPlacements,
  readSeeds,
  savePlacements,
} from './placements.ts';
export { type EndedPoll, finishPolls, postponePoll } from './poll-ends.ts';
export {
  type ClaimedPoll,
  isPollTime,
  keepPollLease,
  type Poll,
  releasePoll,
  takePollLease,
  takePollLeases,
  takeSuspectLease,
  wasPolledSince,
} from './poll-lease.ts';
export { notePromises, wasPromisedSince } from './promises.ts';
export { presetServers } from './providers.ts';
export { recordLimitReached } from './reach-limit.ts';
export {
  type AccountRow,
  accountColumns,
  accountsWithAddresses,
  countAccounts,
  countUnreadMailboxes,
  countWaitingAccounts,
  getAccount,
  getAccountDetails,
  listAccounts,
} from './read-account.ts';
export { forgetRefusedInRow, noteRefusedInRow, type RefusedInRow } from './refused-in-row.ts';
export { copyDelayOf, type FilingAccount, noteSentCopyError, noteServerFiles, readFilingAccount } from './sent-copy.ts';
export { setAccount } from './set-account.ts';
export { type DkimInput, getDkim, setDkim } from './set-dkim.ts';
export { ACCOUNT_SETTINGS, type AccountSettings, DETAIL_SETTINGS, RECORD_SETTINGS } from './settings/account-settings.ts';
export { type AccountTest, folderWarnings, testAccount } from './test-account.ts';
export { accountsTrash } from './trash.ts';
export {
  ACCOUNT_STATUSES,
  type AccountStatus,
  HEALTH_WORDS,
  type HealthWord,
  PAUSE_REASONS,
  type PauseReason,
  PROVIDERS,
} from './words.ts';
