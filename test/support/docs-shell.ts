import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';
import type { TestInstallation } from './database.ts';
import { type Block, ROOT } from './docs.ts';
import { TEST_SECRET } from './secret.ts';

export interface ShellOptions {
  env?: Record<string, string>;
  /** What a reader puts in for the examples of the page: each text of the left becomes that of the right. */
  replace?: Record<string, string>;
  /** The folder that it runs in; one of its own when left out. */
  cwd?: string;
  /** Shown everything printed so far whenever more of it comes. */
  watch?: (output: string) => void;
}

/** Runs blocks one after the other in one shell, as a reader does, and tells what it printed and how it ended. */
export type Shell = (blocks: readonly (Block | string)[], options?: ShellOptions) => Promise<{ status: number | null; output: string }>;

/** A shell in which `outreach` is the built program, for that installation. Its folders are removed after the file. */
export function shellOf(installation: Pick<TestInstallation, 'dataDir' | 'databaseUrl'>): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-docs-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/outreach');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/run.js' "$@"\n`);
  chmodSync(program, 0o755);
  const environment = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    DATABASE_URL: installation.databaseUrl,
    OUTREACH_DATA_DIR: installation.dataDir,
    OUTREACH_SECRET_KEY: TEST_SECRET,
  };
  return (blocks, { env = {}, replace = {}, cwd = folder, watch } = {}) => {
    const texts = blocks.map((block) => (typeof block === 'string' ? block : `echo "== ${block.page}:${block.line}"\n${block.text}`));
    const script = Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, to), texts.join('\n'));
    return new Promise((resolve) => {
      const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd,
        env: { ...environment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.setEncoding('utf8').on('data', (some: string) => {
          output += some;
          watch?.(output);
        });
      shell.once('close', (status) => resolve({ status, output }));
    });
  };
}
