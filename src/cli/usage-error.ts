import { stripVTControlCharacters } from 'node:util';
import { either } from '../core/english.ts';
import { nearestName } from '../core/nearest-name.ts';

/**
 * The fields of oclif's usage errors that are read here. @oclif/core 5 exports none of their classes; a missing argument is
 * an object, an unexpected one is its text.
 */
interface UsageError extends Error {
  args?: readonly (string | { name: string; description?: string })[];
  flags?: readonly string[];
}

/** True for an error of oclif's parser, including our own errors that it prefixes with "Parsing --flag". */
export const isUsageError = (error: unknown): error is Error =>
  error instanceof Error && ((error as { oclif?: { exit?: number } }).oclif?.exit !== undefined || error.message.startsWith('Parsing --'));

/**
 * One line that says which flag or argument is wrong and which help page to read.
 * @param command the name of the command that was run, for example `account connect`
 * @param known the names of its flags, of which the nearest is suggested for an unknown one
 */
export function usageMessage(error: Error, command?: string, known: readonly string[] = []): string {
  return `${problem(error, known)}; see: outreach ${command === undefined ? '' : `${command} `}--help`;
}

function problem({ args = [], flags = [], message }: UsageError, known: readonly string[]): string {
  if (args.length > 0) return args.map(argumentProblem).join(', ');
  if (flags.length > 0)
    return `unknown ${flags.length === 1 ? 'flag' : 'flags'} ${flags.map((flag) => `${flag}${suggested(flag, known)}`).join(', ')}`;
  return [...new Set(linesOf(message).map(inOurWords))].join('; ');
}

/** ` (did you mean --limit?)` after an unknown flag that is nearly a known one. A search may begin with a minus, too. */
function suggested(flag: string, known: readonly string[]): string {
  if (/^-[^-]./.test(flag)) return ' (put -- before an argument that begins with a minus)';
  const found = flag.startsWith('--') ? nearestName(flag.slice(2), known) : undefined;
  return found === undefined ? '' : ` (did you mean --${found}?)`;
}

function argumentProblem(argument: string | { name: string; description?: string }): string {
  if (typeof argument === 'string') return `unexpected argument "${argument}"`;
  const { name, description } = argument;
  return `missing argument ${name.toUpperCase()}${description === undefined ? '' : ` (${description})`}`;
}

/** oclif's message without its headings and advice. */
const linesOf = (message: string): string[] =>
  stripVTControlCharacters(message)
    .replace(/^(Parsing --\S+)\s+/, '$1 ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(See more help|The following errors? occurred:$)/.test(line));

/** The messages of errors without fields, and what we print instead. */
const MESSAGES: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^Parsing (--\S+) Expected an integer but received: (.*)$/, (flag, text) => `${flag}: must be a whole number, not "${text}"`],
  [/^Parsing (--\S+) Expected an integer greater than or equal to (\d+) .*$/, (flag, least) => `${flag}: must be ${least} or more`],
  [/^Parsing (--\S+) Expected an integer less than or equal to (\d+) .*$/, (flag, most) => `${flag}: must be ${most} or less`],
  [/^Parsing (--\S+) (.*)$/, (flag, rest) => `${flag}: ${rest}`],
  [/^Expected (--[^=]+)=(.*) to be one of: (.*)$/, (flag, text, list) => `${flag}: must be ${oneOf(list)}, not "${text}"`],
  [/^Expected (.*) to be one of: (.*)$/, (text, list) => `"${text}" must be ${oneOf(list)}`],
  [/^Flag (--\S+) expects one of these values: (.*)$/, (flag, list) => `${flag}: needs a value: ${oneOf(list)}`],
  [/^Flag (--\S+) expects a value$/, (flag) => `${flag}: needs a value`],
  [/^Flag (--\S+) can only be specified once$/, (flag) => `${flag}: can be given only once`],
  [/^Missing required flag (\S+)$/, (flag) => `missing required flag --${flag}`],
  [/^Exactly one of the following must be provided: (.*)$/, (list) => `either ${oneOf(list)} is required`],
  [
    /^(--[^\s=]+)(?:=.*)? cannot also be provided when using (--\S+)$/s,
    (one, other) => `${[one, other].sort().join(' and ')} can't be combined`,
  ],
  [/^Command (.*) not found\.$/, (name) => `"${name}" is not a command`],
];

/** "a, b, c" as "a, b or c". */
const oneOf = (list = '') => either(list.split(', '));

function inOurWords(line: string): string {
  for (const [pattern, words] of MESSAGES) {
    const found = pattern.exec(line);
    if (found !== null) return words(...found.slice(1));
  }
  return line;
}
