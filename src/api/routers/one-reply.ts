/** Reading a reply with its thread and marking it, loaded with the first of them: lists do not turn HTML into text. */
export { changeReply, getReply } from '../../replies/index.ts';
