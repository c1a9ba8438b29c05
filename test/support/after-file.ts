const { setTimeout: realSetTimeout } = globalThis;
let stack = new AsyncDisposableStack();

/**
 * Takes down after the test file what a helper made, the newest first, and after the hooks of the file itself. Helpers
 * are called in hooks, too, and vitest ignores an `afterAll` that a hook registers.
 */
export const afterFile = (undo: () => unknown): void => stack.defer(async () => void (await undo()));

/**
 * Runs what was left for the end of this file, all of it even where some fails; setup-file.ts calls it. Throws for a fake
 * timer that the next file of this worker would find: a spy that is restored after `vi.useRealTimers` brings one back.
 */
export async function undoAll(): Promise<void> {
  const ended = stack;
  stack = new AsyncDisposableStack();
  await ended.disposeAsync();
  if (globalThis.setTimeout === realSetTimeout) return;
  globalThis.setTimeout = realSetTimeout;
  throw new Error('this file leaves a fake setTimeout behind; restore spies before timers');
}
