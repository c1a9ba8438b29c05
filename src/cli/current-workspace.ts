// biome-ignore-all lint/style/noProcessEnv: only the command line reads the variable

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { invalid } from '../core/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { replaceFile } from '../files/replace-file.ts';
import { actingUser } from './act-as-owner.ts';
import { textIfPresent } from './text-if-present.ts';

/**
 * Returns the file that stores the workspace in use for each data directory. While root acts as the owner of a data directory, root's own
 * folders can't be read, so root's choice is stored in the data directory.
 */
const fileFor = (dataDir: string): string =>
  join(actingUser() === undefined ? envPaths('outreach', { suffix: '' }).config : dataDir, 'workspaces.json');

/**
 * The workspace that commands on an installation of this machine work in: --workspace, OUTREACH_WORKSPACE, then that of
 * `outreach workspace use`; undefined for the default one.
 */
export const currentWorkspace = (flag: string | undefined, dataDir: string): string | undefined =>
  flag ?? (process.env.OUTREACH_WORKSPACE || undefined) ?? stored(fileFor(dataDir))[dataDir];

/** Stores the workspace that commands on an installation work in from now on. Throws the error of `fileProblem`, and `invalid_request` for a damaged file. */
export function chooseWorkspace(dataDir: string, id: number): void {
  const path = fileFor(dataDir);
  const choices = stored(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, `${JSON.stringify({ ...choices, [dataDir]: String(id) })}\n`, { flush: true });
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}

/** Reads the stored choices. Throws `invalid_request` for a file that is damaged or can't be read: a command must not work in the wrong workspace. */
function stored(path: string): Record<string, string> {
  const choices = parsed(textIfPresent(path) ?? '{}');
  if (choices === undefined) throw invalid(`${path} is damaged; delete it, and choose again with: outreach workspace use`);
  return choices;
}

function parsed(text: string): Record<string, string> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}
