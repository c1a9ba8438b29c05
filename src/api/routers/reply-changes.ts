/** Correcting and answering replies. Loaded on the first of these calls: listing replies needs neither the classifier nor code that writes emails. */
export { decideRemoval, reclassifyReply } from '../../inbound/index.ts';
export { answerReply } from '../../sending/index.ts';
