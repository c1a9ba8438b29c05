export { cancelImport, MAX_IMPORT_BYTES, startImport } from './change-imports.ts';
export { pruneImports } from './prune-imports.ts';
export {
  getImport,
  IMPORT_STATUSES,
  listImports,
  listProblems,
} from './read-imports.ts';
export { runImport } from './run-import.ts';
export { dueImports } from './runs.ts';
