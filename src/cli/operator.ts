/** The part of access by which commands act as the operator. An `import()` of the room itself would load all of it. */
export { findWorkspace, operator } from '../access/index.ts';
