import { stripVTControlCharacters } from 'node:util';
import { messageOf, OutreachError } from '../core/errors.ts';
import { Interrupted } from './interrupt.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Where a person finds what there is, of what was not found. */
const LISTED_BY: Record<string, string> = {
  account: 'account list',
  call: 'call list',
  delivery: 'webhook deliveries ID',
  key: 'key list',
  mail: 'outbox list --uncertain',
  'rotation group': 'rotation list',
  user: 'user list',
  webhook: 'webhook list',
  workspace: 'workspace list',
};

/** What oclif throws: its errors of usage carry the exit status and lines that were meant for a box. */
type Thrown = Partial<Error> & { oclif?: { exit?: number }; code?: string };

/** Prints an error as one line on stderr that says what is wrong and what to do; its stack with --debug. Gives the exit status. */
export function report(error: unknown): number {
  const { oclif, code } = error as Thrown;
  if (code === 'EEXIT') return oclif?.exit ?? 0;
  const isUsage = oclif?.exit !== undefined && error instanceof Error;
  process.stderr.write(`outreach: ${stripVTControlCharacters(isUsage ? usageProblem(error.message) : withNextStep(error))}\n`);
  if (process.argv.includes('--debug') && error instanceof Error) process.stderr.write(`${stackOf(error)}\n`);
  if (error instanceof Interrupted) return error.exitStatus;
  return isUsage || (error instanceof OutreachError && error.code === 'invalid_request') ? WRONG_USAGE : FAILED;
}

/** oclif's words for wrong usage, which are several lines with a heading, advice and repetitions, as one line. */
function usageProblem(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(Note: |Alternatively, |See more help|The following errors? occurred:$)/.test(line));
  const text = lines
    .join(' ')
    .replace(/^command (\S+) not found$/, (_, id: string) => `there is no command "${id.replaceAll(':', ' ')}"`)
    .replace(/^Parsing (--\S+) Expected/, '$1: expected')
    .replace(/^Missing required flag (\S+)$/, 'missing required option --$1')
    .replace(/^Exactly one of the following must be provided: (\S+), (\S+)$/, 'one of $1 and $2 is needed')
    .replace(/^(--\S+ cannot also be provided when using --\S+) --.*$/, '$1');
  return `${text}; see --help`;
}

function withNextStep(error: unknown): string {
  const line = messageOf(error);
  if (!(error instanceof OutreachError) || error.code !== 'not_found') return line;
  const [, noun = ''] = /^([a-z ]+?)( ".*"| \d+)? not found$/.exec(line) ?? [];
  const list = / in the trash /.test(line) ? 'trash list' : LISTED_BY[noun];
  return list === undefined ? line : `${line}; see: outreach ${list}`;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
