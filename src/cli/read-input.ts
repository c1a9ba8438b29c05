import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { asUnreadable } from '../files/input-file.ts';

/**
 * The text of a file, or of stdin for `-`: to its end, however slowly a pipe or a person at a terminal writes it. Reading the descriptor at once
 * fails with EAGAIN where nothing is there yet. Throws `invalid_request` if it can't be read.
 */
export async function readInput(path: string): Promise<string> {
  try {
    return await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (error) {
    throw asUnreadable(path, error);
  }
}
