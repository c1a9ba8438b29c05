/** What corrects and answers replies, loaded with the first of them: lists need neither the classifier nor what writes emails. */
export { decideRemoval, reclassifyReply } from '../../inbound/index.ts';
export { answerReply } from '../../sending/index.ts';
