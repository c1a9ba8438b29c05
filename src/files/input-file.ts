import { statSync } from 'node:fs';
import { invalid } from '../core/errors.ts';
import { fileProblem } from './file-problem.ts';

/** The size of a file that can be read. Throws `invalid_request` for one that can't, and for what is no file. */
export function fileSize(path: string): number {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw invalid(`${path} is a directory; name a file`);
    if (!stat.isFile()) throw invalid(`${path} is no ordinary file; write its content to one first`);
    if (stat.size === 0) throw invalid(`${path} is empty`);
    return stat.size;
  } catch (error) {
    throw asUnreadable(path, error);
  }
}

/** An error of the file system as a refusal that names the file; any other error as it is. */
export function asUnreadable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code === 'invalid_request' ? error : fileProblem(path, 'read', error);
}
