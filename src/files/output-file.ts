import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileProblem } from './file-problem.ts';

/**
 * Writes a file that only its owner can read, whole or not at all: what is interrupted leaves the old one as it was. It
 * is on the disk when this resolves. Throws what `fileProblem` makes of it when it can't be written.
 * @param source the content, produced as fast as the disk takes it
 */
export async function writeWhole(path: string, source: AsyncIterable<string | Buffer>, signal?: AbortSignal): Promise<void> {
  // A device or a pipe can't be put in place by renaming.
  const isPlain = !existsSync(path) || statSync(path).isFile();
  const target = isPlain ? `${path}.part-${process.pid}` : path;
  // Opened before anything can fail: a stream that still opens its file when it is destroyed makes it after it was removed.
  const handle = await open(target, 'w', 0o600).catch((error) => {
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

/** Writes to stdout as fast as it is read; whoever stops reading (`| head`) has had enough, which is no error. */
export async function writeToStdout(source: AsyncIterable<string | Buffer>, signal?: AbortSignal): Promise<void> {
  try {
    await pipeline(source, process.stdout, { end: false, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (signal?.aborted) throw signal.reason;
    throw (error as NodeJS.ErrnoException).syscall === 'write' ? fileProblem('the output', 'written', error) : error;
  }
}
