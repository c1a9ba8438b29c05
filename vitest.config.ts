import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    env: { NODE_ENV: 'production', TZ: 'Pacific/Apia' },
  },
});
