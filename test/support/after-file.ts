const { setTimeout: realSetTimeout } = globalThis;
let stack = new AsyncDisposableStack();

/**
 * Tears down what a helper made, newest first, after the hooks of the test file itself. Helpers are called in hooks, too, and vitest
 * ignores an `afterAll` that a hook registers.
 */
export const afterFile = (undo: () => unknown): void => stack.defer(async () => void (await undo()));

/**
 * Runs everything deferred to the end of this file, even if parts of it fail; setup-file.ts calls it. Throws for a fake timer that would
 * leak into the next file of this worker: restoring a spy after `vi.useRealTimers` brings one back.
 */
export async function undoAll(): Promise<void> {
  const ended = stack;
  stack = new AsyncDisposableStack();
  await ended.disposeAsync();
  if (globalThis.setTimeout === realSetTimeout) return;
  globalThis.setTimeout = realSetTimeout;
  throw new Error('this file leaves a fake setTimeout behind; restore spies before timers');
}
