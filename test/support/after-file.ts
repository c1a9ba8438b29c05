let stack = new AsyncDisposableStack();

/**
 * Takes down after the test file what a helper made, the newest first, and after the hooks of the file itself. Helpers
 * are called in hooks, too, and vitest ignores an `afterAll` that a hook registers.
 */
export const afterFile = (undo: () => unknown): void => stack.defer(async () => void (await undo()));

/** Runs what was left for the end of this file, all of it even where some fails; setup-file.ts calls it. */
export async function undoAll(): Promise<void> {
  const ended = stack;
  stack = new AsyncDisposableStack();
  await ended.disposeAsync();
}
