/** Resolving an email. Loaded on the first call: listing the outbox needs only half of this code. */
export { resolveOutbox } from '../../sending/index.ts';
