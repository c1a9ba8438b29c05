import { configureGlobal } from 'fast-check';
import { afterAll, afterEach, vi } from 'vitest';
import { undoAll } from './after-file.ts';
import { refuseTransactionsReachingOutside } from './transaction-guard.ts';

/**
 * The same values in each run: a rare old fault must not fail an unrelated change that happens to meet it. PROPERTY_SEED selects others.
 */
configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_121) });

afterEach(refuseTransactionsReachingOutside);

// Runs before each test file, so that its hook belongs to that file though files share their modules.
afterAll(async () => {
  vi.restoreAllMocks();
  await undoAll();
});
