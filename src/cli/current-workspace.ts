// biome-ignore-all lint/style/noProcessEnv: the variable is of the command line alone

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { invalid } from '../core/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { replaceFile } from '../files/replace-file.ts';
import { actingUser } from './act-as-owner.ts';
import { textIfPresent } from './text-if-present.ts';

/**
 * The file of the workspaces in use, by the data directory of their installation. Root acts as the owner of a data directory, who can't look
 * into root's folders, so root's choice is kept there.
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

/** The choices so far. Throws `invalid_request` for a file that is damaged or can't be read: a command must not work in another workspace. */
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
