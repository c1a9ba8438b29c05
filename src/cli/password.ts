import { invalid } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { Interrupted } from './interrupt.ts';

export interface PasswordSources {
  /** The password in the URL, if there was one. */
  given: string | undefined;
  /** The environment variable to read next. */
  variable: 'OUTREACH_SMTP_PASSWORD' | 'OUTREACH_IMAP_PASSWORD';
  /** The prompt at a terminal, for example `Password for zoe at smtp.example.com:587`. */
  question: string;
  /** Used when nothing is entered, or without a terminal. */
  fallback?: string;
}

/** The password in an environment variable; empty counts as unset. */
export const passwordIn = (variable: PasswordSources['variable']): string | undefined => process.env[variable] || undefined;

/**
 * Finds a password in the URL or the environment, or prompts for it on stderr without echo. Throws `invalid_request`
 * when there is none and no terminal to prompt at.
 */
export async function findPassword({ given, variable, question, fallback }: PasswordSources): Promise<string> {
  const found = given ?? passwordIn(variable);
  if (found !== undefined) return found;
  if (!process.stdin.isTTY) {
    if (fallback !== undefined) return fallback;
    throw invalid(`no password given; set ${variable}, or run this at a terminal to be prompted`);
  }
  const { default: ask } = await import('@inquirer/password');
  const entered = await ask({ message: terminalLine(question), mask: '*', toggleMask: false }, { output: process.stderr }).catch(
    (error: Error) => {
      throw error.name === 'ExitPromptError' ? new Interrupted('nothing was stored') : error;
    },
  );
  if (entered === '' && fallback !== undefined) return fallback;
  if (entered === '') throw invalid('no password was entered');
  return entered;
}
