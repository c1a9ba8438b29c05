/** What reads a reply with its thread and marks it, loaded with the first of them: lists need nothing that turns HTML into text. */
export { changeReply, getReply } from '../../replies/index.ts';
