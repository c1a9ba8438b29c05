import { setImmediate } from 'node:timers/promises';
import { currentWorkspace } from '../current-workspace.ts';
import { openInstallation, settingsOf } from '../installation.ts';
import type { Api } from './api.ts';
import type { TargetFlags } from './target.ts';

/** A client of an installation of this machine, and how to close it. */
export interface LocalApi {
  api: Api;
  dataDir: string;
  /** Its public address, from the settings and its daemons. */
  baseUrl: string;
  /** The name of the workspace that the command works in. */
  workspace: string;
  /** Clients of the other workspaces. */
  others(): Promise<{ name: string; api: Api }[]>;
  close(): Promise<void>;
}

/**
 * Opens the installation of the data directory and creates a client of the same procedures that its server has, as the operator in
 * the workspace. Throws the errors of `openInstallation`, and `not_found` for the workspace.
 */
export async function openLocalApi(flags: TargetFlags): Promise<LocalApi> {
  // PostgreSQL starts a process for the connection, which takes as long as loading the procedures: do both at the same time.
  const [{ app, close }, { callProcedures, findWorkspace, listWorkspaces }] = await Promise.all([
    openInstallation(settingsOf(flags)),
    loadProcedures(),
  ]);
  try {
    const { dataDir, baseUrl } = app.config;
    const wanted = currentWorkspace(flags.workspace, dataDir);
    const { id, name } = await findWorkspace(app.db, wanted);
    const others = async () => {
      const rest = (await listWorkspaces(app.db)).filter((one) => one.id !== id);
      return Promise.all(rest.map(async (one) => ({ name: one.name, api: await callProcedures(app, one.id, false) })));
    };
    return { api: await callProcedures(app, id, wanted === undefined), dataDir, baseUrl, workspace: name, others, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadProcedures() {
  // Loading blocks the event loop. The connection is opened in the first turn and used in the second, so let both pass.
  await setImmediate();
  await setImmediate();
  return import('./procedures.ts');
}
