import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A worker a file loads the same thousand modules each time: their compiled code is kept, as it is for the program itself.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** `npm test` is the suite; `npm run test:soak` what needs minutes: crashes, great mailboxes, whole campaigns. */
const soak = 'test/soak/**/*.test.{ts,tsx}';

export default defineConfig({
  // Tests run with NODE_ENV=production, whose React has no development runtime.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 240_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    env: { NODE_ENV: 'production', TZ: 'Pacific/Apia' },
    ...(process.env.OUTREACH_SOAK === undefined
      ? { include: ['test/**/*.test.{ts,tsx}'], exclude: [soak], maxWorkers: 3 }
      : { include: [soak], maxWorkers: 1, testTimeout: 300_000 }),
  },
});
