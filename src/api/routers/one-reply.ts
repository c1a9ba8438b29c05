/** Reading a reply with its thread. Loaded with the first reply: listing replies does not convert HTML to text. */
export { getReply } from '../../replies/index.ts';
