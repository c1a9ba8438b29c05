/** Changing the workspace. Loaded on the first change: it checks the footer as email content, and reading the workspace doesn't need that code. */
export { changeWorkspace } from '../../campaigns/index.ts';
