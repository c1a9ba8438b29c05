import { fileURLToPath } from 'node:url';
import { run } from '@oclif/core';
import { report } from './report.ts';

/**
 * Runs the command that the words name, and prints its error if it has one.
 * @param root the URL of a file of the program
 * @returns the exit status
 */
export async function runCommand(words: readonly string[], root: string): Promise<number> {
  try {
    // oclif would look for the user's plugins in OUTREACH_DATA_DIR, which is our data directory.
    await run([...words], { root: fileURLToPath(root), userPlugins: false, devPlugins: false });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}
