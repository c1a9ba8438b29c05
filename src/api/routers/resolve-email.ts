/** Loaded where an email is resolved: the list needs half of it. */
export { resolveOutbox } from '../../sending/index.ts';
