export {
  archiveAccount,
  deleteAccount,
  disconnectAccount,
  pauseAccount,
  resumeAccount,
  stopAccount,
  unarchiveAccount,
} from './account-lifecycle.ts';
export { advanceEnrolments, type Move } from './advance.ts';
export { noteBounce } from './bounce-guard.ts';
export { type CallRow, closeCall, listCalls } from './calls.ts';
export { type CampaignRow, replyAccountId } from './campaign.ts';
export { getCampaignOptions } from './campaign-options.ts';
export { type CampaignPatch, changeCampaign, createCampaign } from './campaigns.ts';
export { completeCampaigns, completeFinishedCampaigns } from './completion.ts';
export { archiveContact, deleteContact, unarchiveContact } from './contact-lifecycle.ts';
export { contactZone, usesContactZones, zoneOfContact } from './contact-zone.ts';
export { createRotation } from './create-rotation.ts';
export { deleteStep } from './delete-step.ts';
export { enrol } from './enrol.ts';
export { type EndStatus, type EnrolmentStatus, endEnrolments } from './enrolment-transitions.ts';
export { listCampaignsOfContact, listEnrolments } from './enrolments.ts';
export { CallTask, Campaign, CampaignStats, type CampaignStatus, RotationGroup, Step, Template } from './entities.ts';
export { holdEnrolment } from './hold.ts';
export { keepAccountsConnected } from './keep-connected.ts';
export { activateCampaign, archiveCampaign, deleteCampaign, pauseCampaign } from './lifecycle.ts';
export { accountWindow, type NextSendInput, nextSendAt } from './next-send.ts';
export { nextSendSearch } from './next-send-search.ts';
export { openDueCalls } from './open-due-calls.ts';
export { contactValues, findPlaceholders, render } from './placeholders.ts';
export { previewCampaign } from './preview.ts';
export { renderStep, type StepRendering } from './render-step.ts';
export { resumeEnrolment, stopEnrolment } from './resume-enrolment.ts';
export { getRotation, listRotations, type Rotation } from './rotations.ts';
export { listSteps } from './step.ts';
export { addStep, changeStep, type NewStep } from './steps.ts';
export { stopCompany } from './stop-company.ts';
export { suppressAddress, suppressInTx } from './suppression.ts';
export { campaignsTrash } from './trash.ts';
export { isOpen, nextOpening, type SendingWindow } from './window.ts';
