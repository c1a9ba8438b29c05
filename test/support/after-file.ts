import { afterAll } from 'vitest';

const undone: (() => unknown)[] = [];

afterAll(async () => {
  for (const undo of undone.reverse()) await undo();
});

/**
 * Takes down after the test file what a helper made, the newest first, and after the hooks of the file itself. Helpers
 * are called in hooks, too, and vitest forgets an `afterAll` that a hook registers.
 */
export const afterFile = (undo: () => unknown): void => void undone.push(undo);
