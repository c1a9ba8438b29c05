import { defineConfig } from 'vitest/config';

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
