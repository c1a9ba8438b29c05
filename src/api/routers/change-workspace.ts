/** Loaded with the first change: it checks the footer as the content of an email, which who asks for the workspace doesn't need. */
export { changeWorkspace } from '../../campaigns/index.ts';
