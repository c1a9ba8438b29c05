import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem } from '../files/file-problem.ts';

/**
 * Hands over the first API key. At a terminal it is printed. Elsewhere the output may be a log, which many can read and which is
 * kept: the key goes into `first-api-key` in the data directory, mode 0600. Throws the error of `fileProblem`.
 * @returns the line to print
 */
export function handOverKey(dataDir: string, key: string, isTerminal: boolean): string {
  if (isTerminal) return `API key (shown only once): ${key}`;
  const path = join(dataDir, 'first-api-key');
  try {
    rmSync(path, { force: true });
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
  return `The first API key is in ${path}, which only its owner can read. Delete the file once the key is stored.`;
}
