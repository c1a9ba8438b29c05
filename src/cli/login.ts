import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { conflict, invalid } from '../core/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { replaceFile } from '../files/replace-file.ts';
import { textIfPresent } from './text-if-present.ts';

/** A server, as its URL without a trailing slash, and the API key that commands use there. */
export interface Login {
  url: string;
  key: string;
}

/** The file of this user's login: `login.json` in the platform's configuration directory (XDG Base Directory on Linux). */
export const loginPath = (): string => join(envPaths('outreach', { suffix: '' }).config, 'login.json');

/**
 * Reads the stored login; undefined if there is none. Throws `conflict` if other users can read the file, `invalid_request` if it
 * is damaged or can't be read.
 */
export function readLogin(path: string): Login | undefined {
  const text = textIfPresent(path);
  if (text === undefined) return undefined;
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw conflict(`${path} holds an API key and can be read by other users; run: chmod 600 ${path}`);
  const { url, key } = parsed(text);
  if (typeof url !== 'string' || typeof key !== 'string') throw invalid(`${path} is damaged; run: outreach login URL`);
  return { url, key };
}

/** Stores a login with mode 0600 in place of the one before. Throws the error of `fileProblem`. */
export function storeLogin(path: string, login: Login): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, `${JSON.stringify(login)}\n`, { flush: true });
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}

/** Removes the stored login. Throws the error of `fileProblem`. */
export function forgetLogin(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}

function parsed(text: string): { url?: unknown; key?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
