export { type CallRow, listCalls, requireCall } from './calls/calls.ts';
export { countPendingCalls } from './calls/calls-to-make.ts';
export { pauseEveryCampaign } from './campaign/account-pause.ts';
export { type CampaignStats, campaignStats } from './campaign/campaign-stats.ts';
export { type CampaignPatch, createCampaign } from './campaign/change-campaign.ts';
export { completeCampaigns, completeFinishedCampaigns } from './campaign/completion.ts';
export { Campaign } from './campaign/entities.ts';
export {
  type CampaignRow,
  countActiveCampaigns,
  getCampaign,
  isReplyAccount,
  listCampaigns,
  optOutAddress,
  replyAccountId,
} from './campaign/read-campaign.ts';
export { getCampaignOptions } from './campaign/read-options.ts';
export { isSequenceOf } from './campaign/sequence.ts';
export type { GivenSubsequence } from './campaign/subsequences.ts';
export { campaignsTrash } from './campaign/trash.ts';
export { checkCampaign } from './check/check-campaign.ts';
export { findContentRefusals } from './check/content-refusals.ts';
export { leftAccounts } from './check/left-accounts.ts';
export { mergeMessages } from './check/merge-messages.ts';
export { type CampaignWarning, WARNING_CODES, warn } from './check/warning.ts';
export { contactVersion, stepVersion } from './content/content-version.ts';
export { mergeForContact } from './content/merge-for-contact.ts';
export { emailValues } from './content/merge-values.ts';
export { namePlaceholders } from './content/placeholders.ts';
export { renderStep } from './content/render-step.ts';
export { type KeptContent, keptContent, possibleContents, type SentRow, sentColumns, sentHtml, sentWords } from './content/sent-content.ts';
export { changeWorkspace } from './content/workspace-footer.ts';
export { advanceEnrolments } from './enrolments/advance.ts';
export { holdContacts, stopContacts } from './enrolments/change-many.ts';
export { type ContactDetails, getContactDetails } from './enrolments/contact-details.ts';
export { countHeldForContent, holdForContent, releaseChangedContent } from './enrolments/content-hold.ts';
export { makeDue, releaseAndMakeDue, takeDue } from './enrolments/due.ts';
export { enrol } from './enrolments/enrol.ts';
export { enrolPending } from './enrolments/enrol-pending.ts';
export { countFailure, countSoftBounce, endDeliveryHold, holdForDelivery, MAX_SOFT_BOUNCES } from './enrolments/failures.ts';
export { hasBeenSent } from './enrolments/has-been-sent.ts';
export { holdEnrolment, holdForCompany } from './enrolments/hold.ts';
export { holdEverywhere, holdForRemoval } from './enrolments/hold-everywhere.ts';
export { mergeEnrolments } from './enrolments/merge-enrolments.ts';
export { enrolmentsOfAddress } from './enrolments/of-address.ts';
export { campaignsWithPending, countPending } from './enrolments/pending.ts';
export { PollEnds, type Strength } from './enrolments/precedence.ts';
export { findEnrolment, listCampaignsOfContact, listEnrolments } from './enrolments/read-enrolments.ts';
export { rematchHeld } from './enrolments/rematch.ts';
export { SKIP_REASONS } from './enrolments/skipped.ts';
export { resumeEnrolment, stopEnrolment } from './enrolments/stop-and-resume.ts';
export { stopCompany } from './enrolments/stop-company.ts';
export { followReply, noteCause, noteLabel, undoSubsequences } from './enrolments/subsequences.ts';
export { suppressAddress, suppressAll, suppressInTx } from './enrolments/suppress.ts';
export { endEnrolments } from './enrolments/transitions.ts';
export { undoRefusal, type WronglyRefused } from './enrolments/undo-refusal.ts';
export { continueEnrolments, undoReply } from './enrolments/undo-reply.ts';
export {
  archiveAccount,
  deleteAccount,
  disconnectAccount,
  pauseAccount,
  pauseAccountInTx,
  pauseForProvider,
  pauseTenant,
  pauseUnwanted,
  resumeAccount,
  unarchiveAccount,
} from './lifecycle/account-lifecycle.ts';
export { connectSendingAccount, testSendingAccount } from './lifecycle/account-logins.ts';
export { countBounce } from './lifecycle/bounce-rate.ts';
export {
  activateCampaign,
  archiveCampaign,
  deleteCampaign,
  pauseCampaign,
  planStart,
  unarchiveCampaign,
} from './lifecycle/campaign-lifecycle.ts';
export { changeCampaign } from './lifecycle/change-campaign.ts';
export { closeCall } from './lifecycle/close-call.ts';
export { archiveContact, changeContact, deleteContact, unarchiveContact } from './lifecycle/contact-lifecycle.ts';
export { copyAsDraft } from './lifecycle/copy-as-draft.ts';
export { refreshIdleTokens } from './lifecycle/idle-tokens.ts';
export { openDueCalls } from './lifecycle/open-due-calls.ts';
export { CAMPAIGN_OPTIONS, type CopyAddresses, type WhenColleagueReplies, type WhenUnknown } from './options/campaign-options.ts';
export type { Subsequence } from './options/subsequence.ts';
export { previewCampaign } from './preview/preview.ts';
export { previewSender } from './preview/preview-sender.ts';
export { addToRotation, removeFromRotation, setRotationAccounts } from './rotation/change-rotation.ts';
export { createRotation, createSpread } from './rotation/create-rotation.ts';
export { listGroupedCampaigns } from './rotation/list-grouped.ts';
export { getRotation, listRotations, requireRotation } from './rotation/read-rotations.ts';
export { campaignsNamed, sendingAccounts } from './rotation/sending-accounts.ts';
export { activateRotation, pauseRotation } from './rotation/start-and-pause.ts';
export { contactZone, usesContactZones, zoneOfContact } from './schedule/contact-zone.ts';
export { HOURS, hoursOf, hoursText } from './schedule/hours.ts';
export {
  accountWindow,
  type CampaignSchedule,
  campaignWindow,
  type NextSendInput,
  nextSendAt,
  windowColumns,
} from './schedule/next-send.ts';
export { endOfWait } from './schedule/wait.ts';
export { holidayAt, isOpen, nextOpening, type SendingWindow } from './schedule/window.ts';
export { campaignSearch } from './search/campaign-search.ts';
export { CALL_STATUSES, callIs } from './states/call.ts';
export {
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  campaignIs,
  continuesWhenUnknown,
  hasDayLimits,
  hasStarted,
  isRunning,
  tracks,
} from './states/campaign.ts';
export {
  COLLEAGUE_REPLIED,
  ENROLMENT_STATUSES,
  type EndStatus,
  enrolmentIs,
  isDue,
  isHeldForContent,
  isNotHeld,
  isWaiting,
  sendsFrom,
} from './states/enrolment.ts';
export { isLiveStep, STEP_KINDS } from './states/step.ts';
export { attachFile, detachFile, listAttachments, setAttachments } from './steps/attach.ts';
export { addStep, changeStep, expandTemplates, type NewStep } from './steps/change-steps.ts';
export { deleteStep } from './steps/delete-step.ts';
export { Step } from './steps/entities.ts';
export { insertStep } from './steps/insert-step.ts';
export { keepContent } from './steps/keep-content.ts';
export { moveStep } from './steps/move-step.ts';
export {
  attachmentsOf,
  getStep,
  getStepTiming,
  hasEmailStep,
  listSteps,
  type StepRow,
  type StepTiming,
  stepTimings,
} from './steps/read-steps.ts';
