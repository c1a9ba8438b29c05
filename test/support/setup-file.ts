import { afterAll, vi } from 'vitest';
import { undoAll } from './after-file.ts';

// Runs before each test file, so that its hook belongs to that file though files share their modules.
afterAll(async () => {
  vi.restoreAllMocks();
  await undoAll();
});
