import { afterAll, afterEach, vi } from 'vitest';
import { undoAll } from './after-file.ts';
import { refuseTransactionsReachingOutside } from './transaction-guard.ts';

afterEach(refuseTransactionsReachingOutside);

// Runs before each test file, so that its hook belongs to that file though files share their modules.
afterAll(async () => {
  vi.restoreAllMocks();
  await undoAll();
});
