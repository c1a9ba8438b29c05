import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Workers load the same modules: their compiled code is kept, as the program keeps its own.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

/** What needs minutes: crashes, large mailboxes, whole campaigns. */
const SOAK = 'test/soak/**/*.test.{ts,tsx}';

/** Tests that try more often in the soak run. */
const randomTests = () =>
  globSync('test/**/*.test.{ts,tsx}', { cwd: import.meta.dirname }).filter((path) =>
    readFileSync(`${import.meta.dirname}/${path}`, 'utf8').includes('support/runs.ts'),
  );

// Tests run with NODE_ENV=production, whose React has no development runtime.
const oxc = { jsx: { runtime: 'automatic', development: false } } as const;

const everyTest = {
  pool: 'forks',
  setupFiles: 'test/support/setup-file.ts',
  hookTimeout: 120_000,
  restoreMocks: true,
  // Without lines and columns, Ink starts two processes for every frame to ask how large the terminal is, which is none.
  env: { NODE_ENV: 'production', TZ: 'Pacific/Apia', COLUMNS: '80', LINES: '24' },
} as const;

/**
 * A part of a soak run. Its workers load the program once, too, unless each file has a process of its own. They are three even on two
 * cores, because many of its files wait for daemons most of the time.
 */
const soakProject = (name: string, include: string[], exclude: string[], isolate = false): TestProjectInlineConfiguration => ({
  oxc,
  test: { ...everyTest, name, include, exclude, isolate, maxWorkers: 3, testTimeout: 300_000 },
});

/** What needs four cores: `.ci/run` names its project. */
const CHAOS = 'test/soak/chaos.test.ts';

/** What asserts the memory of its own process, which no other file may share. */
const OWN_PROCESS = 'test/soak/inbound.test.ts';

/** Attacks and standstills on a quiet machine: they assert how long others wait. `npm run test:soak -- --project attacks` runs them. */
const ATTACKS = ['test/soak/nobody-stops-anybody.test.ts', 'test/soak/standstill.test.ts'];

const soakProjects = [
  soakProject('soak', [SOAK, ...randomTests()], [CHAOS, OWN_PROCESS, ...ATTACKS]),
  soakProject('attacks', ATTACKS, []),
  soakProject('memory', [OWN_PROCESS], [], true),
  soakProject('chaos', [CHAOS], []),
];

export default defineConfig({
  oxc,
  test: {
    ...everyTest,
    globalSetup: ['test/support/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    ...(process.env.TEST_SOAK === undefined
      ? {
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [SOAK],
          // A worker loads the program once, not once a file: no test replaces modules or leaves global state behind. For the same
          // reason all files are one project: each project has workers of its own.
          isolate: false,
          maxWorkers: 4,
          // A worker holds the program and what its files leave until they are collected: marking it over and over took a twelfth
          // of the run's processor time, mostly on other threads.
          execArgv: ['--initial-old-space-size=512'],
          testTimeout: 240_000,
        }
      : { projects: soakProjects }),
  },
});
