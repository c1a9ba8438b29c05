import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Config } from '@oclif/core';
import { vi } from 'vitest';
import { report } from '../../src/cli/report.ts';
import { afterFile } from './after-file.ts';

/** The output of a command that was run in this process. */
export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

let config: Config | undefined;

/** Returns oclif's configuration of a program without commands: commands are passed as classes. */
async function emptyProgram(): Promise<Config> {
  const root = mkdtempSync(join(tmpdir(), 'outreach-program-'));
  afterFile(async () => {
    config = undefined;
    rmSync(root, { recursive: true });
  });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'outreach', version: '0.0.0', oclif: { bin: 'outreach' } }));
  return Config.load({ root, userPlugins: false, devPlugins: false });
}

/**
 * Runs a command from its source in this process, as `outreach ARGS...` would, without a terminal: a process of its own takes
 * most of a second.
 * @param env the only OUTREACH_ variables, and DATABASE_URL, that the command sees
 */
export async function runCommand(command: typeof Command, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  config ??= await emptyProgram();
  const before = { env: { ...process.env }, exitCode: process.exitCode };
  const ran: Ran = { status: 0, stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      ran[stream] += text;
      return true;
    }),
  );
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('OUTREACH_') && name !== 'DATABASE_URL');
  replaceEnvironment({ ...Object.fromEntries(others), ...env });
  process.exitCode = 0;
  try {
    await (command as unknown as { run(argv: string[], config: Config): Promise<unknown> }).run([...args], config);
    ran.status = Number(process.exitCode);
  } catch (error) {
    ran.status = report(error);
  } finally {
    for (const spy of spies) spy.mockRestore();
    replaceEnvironment(before.env);
    process.exitCode = before.exitCode;
  }
  return ran;
}

/** Replaces the environment in place: some libraries keep the object, and would otherwise use the home of the person who runs the tests. */
function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
