/** Labels and other marks of replies, loaded with the first: they need neither the classifier nor the writing of emails. */
export { changeReply } from '../../replies/index.ts';
