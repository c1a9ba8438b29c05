import { readFileSync } from 'node:fs';
import { fileProblem } from '../files/file-problem.ts';

/** Reads a text file; undefined if it does not exist. Throws the error of `fileProblem` for one that can't be read. */
export function textIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw fileProblem(path, 'read', error);
  }
}
