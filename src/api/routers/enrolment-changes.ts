/** What changes enrolments, loaded with the first change: lists need a third of it. */
export { enrol, holdContacts, holdEnrolment, resumeEnrolment, stopContacts, stopEnrolment } from '../../campaigns/index.ts';
