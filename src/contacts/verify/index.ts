export { MAX_VERIFIED, type VerifiedContact, verifyContacts } from './verify-contacts.ts';
