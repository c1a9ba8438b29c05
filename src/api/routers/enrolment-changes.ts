/** Changes of enrolments, loaded with the first: lists need a third of it. */
export { enrol, holdContacts, holdEnrolment, resumeEnrolment, stopContacts, stopEnrolment } from '../../campaigns/index.ts';
