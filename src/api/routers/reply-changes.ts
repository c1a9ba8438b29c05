/** Correcting and answering replies, loaded with the first of them: lists need neither the classifier nor the writing of emails. */
export { decideRemoval, reclassifyReply } from '../../inbound/index.ts';
export { answerReply } from '../../sending/index.ts';
