/** The part of monitoring/ that `status` and `backup` need. An `import()` of monitoring/index.ts would load the whole folder, and the daemon. */
export { lastBackup, readStatus, recordBackup } from '../monitoring/index.ts';
