import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a command of the shell with a text on stdin, and waits for its end. What it prints is printed.
 * @param stdout where its stdout goes: `stderr` keeps ours for what we print
 * @returns why it failed, such as `exited with status 3`; null if it succeeded
 */
export async function pipeToCommand(command: string, text: string, stdout: 'stdout' | 'stderr'): Promise<string | null> {
  const child = spawn(command, { shell: true, stdio: ['pipe', stdout === 'stdout' ? 'inherit' : 2, 'inherit'] });
  // A command need not read what it is given.
  child.stdin?.on('error', () => undefined).end(text);
  try {
    const [status, signal] = await once(child, 'exit');
    if (status === 0) return null;
    return signal === null ? `exited with status ${status}` : `was ended by ${signal}`;
  } catch (error) {
    return `could not be started: ${(error as Error).message}`;
  }
}
