import { setImmediate } from 'node:timers/promises';
import { openInstallation, settingsOf } from '../installation.ts';
import type { Api } from './api.ts';
import type { TargetFlags } from './target.ts';

/** A client of an installation of this machine, and how to close it. */
export interface LocalApi {
  api: Api;
  dataDir: string;
  close(): Promise<void>;
}

/**
 * Opens the installation of the data directory and creates a client of the same procedures that its server has, as the operator in
 * the workspace. Throws the errors of `openInstallation`, and `not_found` for the workspace.
 */
export async function openLocalApi(flags: TargetFlags): Promise<LocalApi> {
  // PostgreSQL starts a process for the connection, which takes as long as loading the procedures.
  const [{ app, close }, { callProcedures }] = await Promise.all([openInstallation(settingsOf(flags)), loadProcedures()]);
  try {
    return { api: await callProcedures(app, flags.workspace), dataDir: app.config.dataDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadProcedures() {
  // Loading holds up the event loop: in the first turn of it the connection is opened, in the second it is used.
  await setImmediate();
  await setImmediate();
  return import('./procedures.ts');
}
