/** Drafting and approving answers. Loaded on the first of these calls: listing drafts needs no code that writes emails. */
export { approveDraft, changeDraft, discardDraft, draftAnswer } from '../../sending/index.ts';
