/** Changes to enrolments. Loaded on the first change: listing enrolments needs only a third of this code. */
export { enrol, holdContacts, holdEnrolment, resumeEnrolment, stopContacts, stopEnrolment } from '../../campaigns/index.ts';
