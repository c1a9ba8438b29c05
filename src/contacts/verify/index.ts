export { bouncedDomains } from './bounced-domains.ts';
export { kindOfAddress } from './kinds-of-address.ts';
export { MAX_VERIFIED, type VerifiedContact, verifyContacts } from './verify-contacts.ts';
