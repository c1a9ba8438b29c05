import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { asUnreadable } from '../files/input-file.ts';
import { utf8Text } from '../files/utf8-text.ts';

/**
 * Reads a file, or stdin for `-`, to its end, however slowly a pipe or a person at a terminal writes it. Reading the descriptor synchronously
 * fails with EAGAIN while it has no data. Throws `invalid_request` if it can't be read or is not in UTF-8.
 */
export async function readInput(path: string): Promise<string> {
  try {
    return utf8Text(await (path === '-' ? buffer(process.stdin) : readFile(path)), path === '-' ? 'stdin' : path);
  } catch (error) {
    throw asUnreadable(path, error);
  }
}
