// biome-ignore-all lint/style/noProcessEnv: the variable is of the command line alone

import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { fileProblem } from '../files/file-problem.ts';
import { replaceFile } from '../files/replace-file.ts';

/** The file of the workspaces in use, by the data directory of their installation. */
const path = (): string => join(envPaths('outreach', { suffix: '' }).config, 'workspaces.json');

/**
 * The workspace that commands on an installation of this machine work in: --workspace, OUTREACH_WORKSPACE, then that of
 * `outreach workspace use`; undefined for the default one.
 */
export const currentWorkspace = (flag: string | undefined, dataDir: string): string | undefined =>
  flag ?? (process.env.OUTREACH_WORKSPACE || undefined) ?? stored()[dataDir];

/** Stores the workspace that commands on an installation work in from now on. Throws the error of `fileProblem`. */
export function chooseWorkspace(dataDir: string, id: number): void {
  try {
    mkdirSync(dirname(path()), { recursive: true, mode: 0o700 });
    replaceFile(path(), `${JSON.stringify({ ...stored(), [dataDir]: String(id) })}\n`, { flush: true });
  } catch (error) {
    throw fileProblem(path(), 'written', error);
  }
}

/** The choices so far; none if the file is missing or damaged. */
function stored(): Record<string, string> {
  try {
    return Object(JSON.parse(readFileSync(path(), 'utf8')));
  } catch {
    return {};
  }
}
