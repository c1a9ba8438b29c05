export { advanceEnrolments, type Move } from './advance.ts';
export { completeCampaigns, completeFinishedCampaigns } from './completion.ts';
export { archiveContact, deleteContact, unarchiveContact } from './contact-lifecycle.ts';
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
export { holdEnrolment } from './hold.ts';
export { accountWindow, campaignWindow, type NextSendInput, nextSendAt } from './next-send.ts';
export { openDueCalls } from './open-due-calls.ts';
export { resumeEnrolment, stopEnrolment } from './resume-enrolment.ts';
export { type SuppressionInput, suppressAddress, suppressInTx } from './suppression.ts';
export { campaignsTrash } from './trash.ts';
export { isOpen, nextOpening, type SendingWindow } from './window.ts';
