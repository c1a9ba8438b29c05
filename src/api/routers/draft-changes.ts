/** Drafting and approving answers, loaded with the first of them: lists need nothing that writes emails. */
export { approveDraft, changeDraft, discardDraft, draftAnswer } from '../../sending/index.ts';
