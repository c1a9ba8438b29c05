import { statSync } from 'node:fs';
import { invalid } from '../core/errors.ts';
import { fileProblem } from './file-problem.ts';

/** Returns the size of a file in bytes. Throws `invalid_request` if it is not a regular file, is empty or can't be read. */
export function fileSize(path: string): number {
  if (path === '-') throw invalid("stdin can't be read here; write its content to a file first");
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw invalid(`${path} is a directory; name a file`);
    if (!stat.isFile()) throw invalid(`${path} is not a regular file; write its content to one first`);
    if (stat.size === 0) throw invalid(`${path} is empty`);
    return stat.size;
  } catch (error) {
    throw asUnreadable(path, error);
  }
}

/** Converts a file system error to an error that names the file; returns any other error unchanged. */
export function asUnreadable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code === 'invalid_request' ? error : fileProblem(path, 'read', error);
}
