export {
  answerState,
  type ClaimedAnswer,
  claimAnswer,
  countAnswers,
  failAnswer,
  isAnswerDue,
  isOfSequence,
  postponeAnswer,
  queueAnswer,
  releaseExpiredAnswers,
  resendAnswer,
} from './answers.ts';
export {
  type Claim,
  insertClaims,
  isOurClaim,
  lockedEmail,
  markTransmitting,
  type NewClaim,
  releaseAbandoned,
  releaseClaimed,
  releaseUntransmitted,
} from './claims.ts';
export { emailWorkers, endEmailLeasesOf } from './leases.ts';
export {
  learnProviderId,
  markContinued,
  markExpiredUncertain,
  markUnknown,
  recordAccepted,
  recordFailed,
  recordProof,
  recordRetry,
  recordUncertain,
  reopenFailed,
  resend,
  restartTries,
} from './outcomes.ts';
export { acceptedSince, type Email, findEmail, isEmailInFlightTo, listOutbox, lockEmail } from './read-outbox.ts';
export {
  accountsWithDueCopies,
  beginCopy,
  type ClaimedCopy,
  claimCopy,
  forgetCopiesOf,
  forgetCopy,
  keepForSentFolder,
  postponeCopy,
  scheduleCopy,
} from './sent-copies.ts';
export {
  isAccepted,
  isDone,
  isInFlight,
  isOpen,
  isPending,
  isRetry,
  isUncertain,
  isUnresolved,
  isUnresolvedState,
  isWaitedFor,
  type UnresolvedState,
} from './states.ts';
export { loadThreads, MAX_REFERENCES, type Thread } from './thread.ts';
