// biome-ignore-all lint/style/noProcessEnv: the editor that a person uses everywhere

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { conflict } from '../core/errors.ts';

/** The environment variables that name an editor. */
export interface Editor {
  VISUAL?: string | undefined;
  EDITOR?: string | undefined;
}

/**
 * Opens a file in the editor that VISUAL or EDITOR names, otherwise vi, and waits until it is closed. Throws `conflict` if the editor
 * fails.
 */
export async function openEditor(path: string, { VISUAL, EDITOR }: Editor = process.env): Promise<void> {
  const editor = VISUAL || EDITOR || 'vi';
  // Ctrl-C is for the editor, but the terminal sends it to both.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    // Run by the shell, because VISUAL may contain options and quotes.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
    const [status, signal] = await once(child, 'exit');
    if (status !== 0)
      throw conflict(`the editor "${editor}" ${signal === null ? `exited with status ${status}` : `was ended by ${signal}`}`);
  } finally {
    process.off('SIGINT', ignore);
  }
}
