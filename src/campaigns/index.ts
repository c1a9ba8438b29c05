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
export { type CampaignRow, getCampaign, listCampaigns, replyAccountId } from './campaign.ts';
export { type CampaignOptions, getCampaignOptions } from './campaign-options.ts';
export { type CampaignPatch, changeCampaign, createCampaign } from './campaigns.ts';
export { completeCampaigns, completeFinishedCampaigns } from './completion.ts';
export { archiveContact, deleteContact, unarchiveContact } from './contact-lifecycle.ts';
export { contactZone, usesContactZones, ZONE_FIELD, zoneOfContact } from './contact-zone.ts';
export { createRotation } from './create-rotation.ts';
export { deleteStep } from './delete-step.ts';
export { type EnrolInput, enrol } from './enrol.ts';
export { ENROLMENT_STATUSES, type EndStatus, type EnrolmentStatus, endEnrolments } from './enrolment-transitions.ts';
export {
  type ContactCampaignRow,
  type EnrolmentRow,
  findEnrolment,
  getEnrolment,
  listCampaignsOfContact,
  listEnrolments,
} from './enrolments.ts';
export {
  CAMPAIGN_STATUSES,
  CallTask,
  Campaign,
  CampaignStats,
  type CampaignStatus,
  RotationGroup,
  STEP_KINDS,
  Step,
  type StepKind,
  TEMPLATE_TYPES,
  Template,
} from './entities.ts';
export { holdEnrolment } from './hold.ts';
export { keepAccountsConnected } from './keep-connected.ts';
export { activateCampaign, archiveCampaign, deleteCampaign, pauseCampaign, unarchiveCampaign } from './lifecycle.ts';
export { accountWindow, campaignWindow, type NextSendInput, nextSendAt } from './next-send.ts';
export { nextSendSearch, type SendSpan } from './next-send-search.ts';
export { openDueCalls } from './open-due-calls.ts';
export { contactValues, findPlaceholders, type MergeSource, type MergeValues, type Rendering, render } from './placeholders.ts';
export { type Preview, type PreviewedStep, previewCampaign } from './preview.ts';
export { renderStep, type StepRendering } from './render-step.ts';
export { resumeEnrolment, stopEnrolment } from './resume-enrolment.ts';
export { getRotation, listRotations, type Rotation, type RotationMember, type RotationRow } from './rotations.ts';
export { getStep, listSteps, type StepRow } from './step.ts';
export { addStep, changeStep, type NewStep, type StepPatch } from './steps.ts';
export { stopCompany } from './stop-company.ts';
export { type SuppressionInput, suppressAddress, suppressInTx } from './suppression.ts';
export {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  setTemplateArchived,
  type TemplateRow,
} from './templates.ts';
export { campaignsTrash } from './trash.ts';
export { isOpen, nextOpening, type SendingWindow } from './window.ts';
