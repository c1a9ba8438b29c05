import { invalid, messageOf, OutreachError } from '../core/errors.ts';

/** What the system says of a file (errno(3)), and what to do about it. */
const CAUSES: Record<string, string> = {
  EACCES: 'this user has no right to; give it the right, or choose another place',
  EDQUOT: 'the quota of this user is used up (EDQUOT); free some space',
  EFBIG: 'it would grow larger than this process may write (EFBIG); raise ulimit -f, or choose another place',
  EISDIR: 'it is a directory; name a file',
  ENOENT: 'there is no such file or folder; check its name',
  ENOSPC: 'the disk is full (ENOSPC); free some space, or choose another place',
  ENOTDIR: 'what its path takes for a folder is a file; check its name',
  EPERM: 'this user has no right to; give it the right, or choose another place',
  EROFS: 'the file system is read-only; choose another place',
};

/** What no other way of calling would have helped. */
const OF_THE_MACHINE = new Set(['EDQUOT', 'EFBIG', 'EIO', 'ENOSPC']);

/**
 * An error of the file system as a refusal that names the file and what to do: `invalid_request` where another file would
 * do, `internal_error` where the machine failed, the disk being full for example.
 */
export function fileProblem(path: string, verb: 'read' | 'written', error: unknown): OutreachError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const message = `${path} can't be ${verb}: ${CAUSES[code] ?? messageOf(error)}`;
  return OF_THE_MACHINE.has(code) ? new OutreachError('internal_error', message, { cause: error }) : invalid(message, { cause: error });
}
