import { invalid } from '../core/errors.ts';
import { Interrupted } from './interrupt.ts';

export interface PasswordSources {
  /** From the URL, where it held one. */
  given: string | undefined;
  /** The environment variable to look in next. */
  variable: 'OUTREACH_SMTP_PASSWORD' | 'OUTREACH_IMAP_PASSWORD';
  /** What to ask at a terminal, for example `Password of zoe at smtp.example.com:587`. */
  question: string;
  /** Taken when nothing was entered, or when nobody can be asked. */
  fallback?: string;
}

/** The password in an environment variable; an empty one is none. */
export const passwordIn = (variable: PasswordSources['variable']): string | undefined => process.env[variable] || undefined;

/**
 * A password: from the URL, the environment, or asked for without showing it, on stderr. Throws `invalid_request` when
 * there is none and no terminal to ask at.
 */
export async function findPassword({ given, variable, question, fallback }: PasswordSources): Promise<string> {
  const found = given ?? passwordIn(variable);
  if (found !== undefined) return found;
  if (!process.stdin.isTTY) {
    if (fallback !== undefined) return fallback;
    throw invalid(`no password: set ${variable}, or run this at a terminal to be asked`);
  }
  const { default: ask } = await import('@inquirer/password');
  const entered = await ask({ message: question, mask: '*', toggleMask: false }, { output: process.stderr }).catch((error: Error) => {
    throw error.name === 'ExitPromptError' ? new Interrupted('nothing was stored') : error;
  });
  if (entered === '' && fallback !== undefined) return fallback;
  if (entered === '') throw invalid('no password was entered');
  return entered;
}
