/** The part of monitoring that `status` and `backup` need. An `import()` of the room itself would load all of it, and the daemon with it. */
export { lastBackup, readStatus, recordBackup } from '../monitoring/index.ts';
