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

/** Errors of the machine, which no other arguments would have prevented. */
const MACHINE_ERRORS = new Set(['EDQUOT', 'EFBIG', 'EIO', 'ENOSPC']);

/**
 * A file system error as an `OutreachError` that names the file, the cause and what to do: `invalid_request` where another
 * path would work, `internal_error` where the machine failed, for example with a full disk.
 */
export function fileProblem(path: string, verb: 'read' | 'written', error: unknown): OutreachError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const message = `${path} can't be ${verb}: ${CAUSES[code] ?? messageOf(error)}`;
  return MACHINE_ERRORS.has(code) ? new OutreachError('internal_error', message, { cause: error }) : invalid(message, { cause: error });
}
