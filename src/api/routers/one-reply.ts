/** Reading a reply with its thread, loaded with the first: lists do not turn HTML into text. */
export { getReply } from '../../replies/index.ts';
