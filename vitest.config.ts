import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration, type Plugin as VitestPlugin } from 'vitest/config';

// Workers load the same modules: their compiled code is kept, as the program keeps its own.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

const DATABASE = 'test/**/*.db.test.{ts,tsx}';
const END_TO_END = 'test/**/*.e2e.test.{ts,tsx}';
/** What needs minutes: crashes, large mailboxes, whole campaigns. */
const SOAK = 'test/soak/**/*.test.{ts,tsx}';

/** Tests that try more often in the soak run. */
const randomTests = () =>
  globSync('test/**/*.test.{ts,tsx}', { cwd: import.meta.dirname }).filter((path) =>
    readFileSync(`${import.meta.dirname}/${path}`, 'utf8').includes('support/runs.ts'),
  );

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (name: string, include: string[], options: TestOptions = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, exclude: [SOAK], ...options },
});

/** vitest takes `--exclude` for the root alone, which has no tests of its own. */
const excludeInProjects: VitestPlugin = {
  name: 'exclude-in-projects',
  configureVitest: ({ vitest, project }) => void project.config.exclude.push(...(vitest.config.cliExclude ?? [])),
};

const postgres = { globalSetup: ['test/support/global-setup.ts'] };

export default defineConfig({
  plugins: [excludeInProjects],
  // Tests run with NODE_ENV=production, whose React has no development runtime.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    pool: 'forks',
    // A worker loads the program once, not once a file: no test replaces modules or leaves global state behind.
    isolate: false,
    maxWorkers: 4,
    setupFiles: ['test/support/setup-file.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    // Without lines and columns, Ink starts two processes for every frame to ask how large the terminal is, which is none.
    env: { NODE_ENV: 'production', TZ: 'Pacific/Apia', COLUMNS: '80', LINES: '24' },
    projects:
      process.env.TEST_SOAK === undefined
        ? [
            project('unit', ['test/**/*.test.{ts,tsx}'], { exclude: [SOAK, DATABASE, END_TO_END] }),
            project('db', [DATABASE], postgres),
            project('e2e', [END_TO_END], postgres),
          ]
        : [project('soak', [SOAK, ...randomTests()], { exclude: [], isolate: true, maxWorkers: 2, testTimeout: 300_000, ...postgres })],
  },
});
