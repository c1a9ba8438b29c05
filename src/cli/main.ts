import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { flush, run } from '@oclif/core';
import { messageOf, OutreachError } from '../errors.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs the command line. An error becomes one line on stderr and exit status 1, or 2 for wrong usage. */
export async function main(root: string): Promise<void> {
  // A reader who left (`| head`, a terminal that was closed) must not end the program before it has put things away;
  // oclif's own listeners throw when it was a terminal.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => undefined);
  try {
    // oclif would look for plug-ins of the user in OUTREACH_DATA_DIR, which is ours and holds none.
    await run(process.argv.slice(2), { root: fileURLToPath(root), userPlugins: false, devPlugins: false });
    await flush();
  } catch (error) {
    process.exitCode = report(error);
  }
  // Whatever is left open must not keep the process alive: the pool of a failed command, or the timer that Agenda keeps
  // for half the lock of each job that ran (a drained daemon would stay for 15 s).
  await new Promise((resolve) => process.stderr.write('', resolve));
  process.exit();
}

function report(error: unknown): number {
  const { oclif, code } = error as { oclif?: { exit?: number }; code?: string };
  if (code === 'EEXIT') return oclif?.exit ?? 0;
  const line = stripVTControlCharacters(messageOf(error)).replace(/ ?See more help with --help$/, '; see --help');
  process.stderr.write(`outreach: ${line}\n`);
  if (process.argv.includes('--debug') && error instanceof Error) process.stderr.write(`${stackOf(error)}\n`);
  if (error instanceof OutreachError) return error.code === 'invalid_request' ? WRONG_USAGE : FAILED;
  return oclif?.exit === undefined ? FAILED : WRONG_USAGE;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
