import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { invalid } from '../core/errors.ts';
import { draftOf } from './draft-file.ts';
import { fileProblem } from './file-problem.ts';

/**
 * Writes a file atomically, readable by its owner only: if interrupted, an existing file is unchanged. Resolves once the content is flushed
 * to disk. Throws the error of `fileProblem` if it can't be written.
 * @param source the content, read as fast as the disk accepts it
 */
export async function writeWhole(path: string, source: AsyncIterable<string | Buffer>, signal?: AbortSignal): Promise<void> {
  // A device or a pipe can't be replaced by renaming.
  const isPlain = !existsSync(path) || statSync(path).isFile();
  const target = isPlain ? draftOf(path) : path;
  // Opened before anything else can fail: a stream that is destroyed while it opens its file would create it after the removal.
  const handle = await open(target, isPlain ? 'wx' : 'w', 0o600).catch((error) => {
    throw fileProblem(path, 'written', error);
  });
  const file = handle.createWriteStream({ flush: isPlain });
  let failure: unknown;
  file.on('error', (error) => {
    failure = error;
  });
  try {
    await pipeline(source, file, signal === undefined ? {} : { signal });
    if (isPlain) renameSync(target, path);
  } catch (error) {
    if (isPlain) rmSync(target, { force: true });
    if (signal?.aborted) throw signal.reason;
    throw error === failure || (error as NodeJS.ErrnoException).syscall === 'rename' ? fileProblem(path, 'written', error) : error;
  }
}

/**
 * Throws `invalid_request` if a file that is to be written is the one that is read, whose content would be lost.
 * @param option that names the file to write
 */
export function requireOther(option: string, target: string, source: string): void {
  const [one, other] = [target, source].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (one === undefined || !one.isFile() || one.dev !== other?.dev || one.ino !== other.ino) return;
  throw invalid(`${option}: ${target} is the file that is read, and would be overwritten; name another`);
}
