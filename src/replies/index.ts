export { markRead, recordAnswered } from './answered.ts';
export { changeReply } from './change-reply.ts';
export { listReplies, listRepliesAfter } from './list-replies.ts';
export { clearReplies } from './prune-replies.ts';
export { publishReply } from './publish.ts';
export { getReply, lockReply, type ReplyDetails, requireReply } from './read-reply.ts';
export { REPLY_KINDS, type ReplyKind } from './reply.ts';
export { type NewReply, storeReply } from './store-reply.ts';
export { loadReplies, type StoredReply, setKind } from './stored-reply.ts';
