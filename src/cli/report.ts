import { isNotFound, messageOf, OutreachError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { actingUser } from './act-as-owner.ts';
import { Interrupted } from './interrupt.ts';
import { withListOf } from './not-found-hint.ts';
import { say } from './terminal.ts';
import { isUsageError, usageMessage } from './usage-error.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Prints an error on stderr as one line: what happened and the command that helps; with --debug its stack trace too.
 * @returns the exit status: 2 for wrong usage, 130 or 143 for a signal, otherwise 1
 */
export function report(error: unknown): number {
  const { oclif, code } = error as { oclif?: { exit?: number }; code?: string };
  if (code === 'EEXIT') return oclif?.exit ?? 0;
  const isUsage = isUsageError(error);
  const line = isUsage ? usageMessage(error) : withNextStep(error);
  say(`outreach: ${terminalLine(line)}`);
  if (process.argv.includes('--debug') && error instanceof Error) say(stackOf(error));
  if (error instanceof Interrupted) return error.exitStatus;
  return isUsage || (error instanceof OutreachError && error.code === 'invalid_request') ? WRONG_USAGE : FAILED;
}

function withNextStep(error: unknown): string {
  const line = messageOf(error);
  if (actingUser() !== undefined && / permission denied; /.test(line))
    return `${line}; this command acts as ${actingUser()}, the owner of the data directory`;
  return isNotFound(error) ? withListOf(line) : line;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
