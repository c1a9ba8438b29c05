/** The part of access/ that commands need to act as the operator. An `import()` of access/index.ts would load the whole folder. */
export { findWorkspace, operator } from '../access/index.ts';
