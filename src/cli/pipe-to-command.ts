import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a shell command with a text on stdin, and waits for it to exit. Its output is passed through.
 * @param stdout where its stdout goes: `stderr` keeps our stdout for our own output
 * @returns why it failed, such as `exited with status 3`; null if it succeeded
 */
export async function pipeToCommand(command: string, text: string, stdout: 'stdout' | 'stderr'): Promise<string | null> {
  const child = spawn(command, { shell: true, stdio: ['pipe', stdout === 'stdout' ? 'inherit' : 2, 'inherit'] });
  // A command may exit without reading its stdin.
  child.stdin?.on('error', () => undefined).end(text);
  try {
    const [status, signal] = await once(child, 'exit');
    if (status === 0) return null;
    return signal === null ? `exited with status ${status}` : `was ended by ${signal}`;
  } catch (error) {
    return `could not be started: ${(error as Error).message}`;
  }
}
