import { invalid, messageOf, OutreachError } from '../core/errors.ts';

/** The causes of file errors by their code (errno(3)), and what to do. */
const CAUSES: Record<string, string> = {
  EACCES: 'permission denied; grant this user access, or choose another path',
  EDQUOT: 'the disk quota is exceeded (EDQUOT); free some space',
  EFBIG: 'it would exceed the file size limit (EFBIG); raise ulimit -f',
  EISDIR: 'it is a directory; name a file',
  ENOENT: 'no such file or directory; check the path',
  ENOSPC: 'the disk is full (ENOSPC); free some space, or choose another path',
  ENOTDIR: 'a part of the path is not a directory; check the path',
  EPERM: 'not permitted; grant this user access, or choose another path',
  EROFS: 'the file system is read-only; choose another path',
};

/** System errors, which other arguments would not have prevented. */
const MACHINE_ERRORS = new Set(['EDQUOT', 'EFBIG', 'EIO', 'ENOSPC']);

/**
 * Converts a file system error to an `OutreachError` that names the file, the cause and what to do. It is an `invalid_request` if another
 * path would work, and an `internal_error` if the system failed, for example because the disk is full.
 */
export function fileProblem(path: string, verb: 'read' | 'written', error: unknown): OutreachError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const message = `${path} can't be ${verb}: ${CAUSES[code] ?? messageOf(error)}`;
  return MACHINE_ERRORS.has(code) ? new OutreachError('internal_error', message, { cause: error }) : invalid(message, { cause: error });
}
