// biome-ignore-all lint/style/noProcessEnv: the password of a mailbox is not a setting

import { invalid } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { Interrupted } from './interrupt.ts';
import { readInput } from './read-input.ts';
import { say } from './terminal.ts';

export interface PasswordSources {
  /** The password in the URL, if there was one. */
  given: string | undefined;
  /** The file that a flag names for it; `-` is stdin. Read first. */
  file: string | undefined;
  /** The environment variable to read next. */
  variable: 'OUTREACH_SMTP_PASSWORD' | 'OUTREACH_IMAP_PASSWORD';
  /** The prompt at a terminal, for example `Password for zoe at smtp.example.com:587`. */
  question: string;
  /** Used when nothing is entered, or without a terminal. */
  fallback?: string;
}

/** The password in an environment variable; empty counts as unset. */
export const passwordIn = (variable: PasswordSources['variable']): string | undefined => process.env[variable] || undefined;

/** Warns that other users of the machine could read a secret in the command line. */
export const warnOfVisible = (secret: string, instead: string): void =>
  say(`outreach: warning: other users of this machine can read ${secret} in the command line; use ${instead}`);

/** The first line of a file, or of stdin for `-`. Throws `invalid_request` if it is empty or can't be read. */
async function passwordInFile(file: string): Promise<string> {
  const [password = ''] = (await readInput(file)).split(/\r?\n/, 1);
  if (password === '') throw invalid(`${file === '-' ? 'stdin' : file} is empty; its first line must be the password`);
  return password;
}

/**
 * Finds a password in a file, the URL or the environment, or prompts for it on stderr without echo. Throws `invalid_request`
 * when there is none and no terminal to prompt at.
 */
export async function findPassword({ given, file, variable, question, fallback }: PasswordSources): Promise<string> {
  const found = file === undefined ? (given ?? passwordIn(variable)) : await passwordInFile(file);
  if (found !== undefined) return found;
  if (!process.stdin.isTTY) {
    if (fallback !== undefined) return fallback;
    throw invalid(`no password given; set ${variable}, or run this at a terminal to be prompted`);
  }
  const entered = await askSecret(fallback === undefined ? question : `${question} (Enter for the same)`);
  if (entered === '' && fallback !== undefined) return fallback;
  if (entered === '') throw invalid('no password was entered');
  return entered;
}

/** Asks for a secret at the terminal, on stderr and without echo. Throws `Interrupted` on Ctrl-C. */
export async function askSecret(question: string): Promise<string> {
  const { default: ask } = await import('@inquirer/password');
  return ask({ message: terminalLine(question), mask: '*', toggleMask: false }, { output: process.stderr }).catch((error: Error) => {
    throw error.name === 'ExitPromptError' ? new Interrupted('nothing was stored') : error;
  });
}
