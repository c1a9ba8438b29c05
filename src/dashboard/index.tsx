import { setImmediate as nextTurn } from 'node:timers/promises';
import { render } from 'ink';
import { Dashboard } from './app.tsx';
import { type Api, openStream } from './connection.ts';
import { wrapLines } from './line-wrap.ts';
import { DashboardStore } from './store.ts';

export { createApi } from './connection.ts';

/** Maximum number of frames a second: rows change five times a second, and keys must respond immediately. */
const MAX_FPS = 20;

/**
 * Gives the terminal to another program, or takes it back. Ink stops listening, but Node keeps reading until the stream is paused, and
 * would take keys meant for the other program. A stream can be paused only once it knows that it has no listeners, which is in the next turn.
 */
async function handOver(isOther: boolean): Promise<void> {
  wrapLines(isOther);
  if (!isOther) return;
  await nextTurn();
  process.stdin.pause();
}

/**
 * Shows the dashboard until the operator quits, a signal ends the process, or `until` aborts. Runs on the terminal's alternate
 * screen, which it always leaves again.
 */
export async function showDashboard(api: Api, until?: AbortSignal): Promise<void> {
  const store = new DashboardStore();
  const stream = openStream(api, store);
  // Ink sets raw mode only after its first frame; a key pressed earlier would be echoed into it.
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  // `interactive`: by default Ink draws only once if a variable named CI is set, even on a terminal.
  const screen = render(<Dashboard store={store} api={api} handOver={handOver} />, {
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: MAX_FPS,
  });
  wrapLines(false);
  const leave = () => screen.unmount();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  until?.addEventListener('abort', leave, { once: true });
  try {
    await screen.waitUntilExit();
  } finally {
    wrapLines(true);
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    for (const signal of signals) process.off(signal, leave);
    until?.removeEventListener('abort', leave);
    stream.close();
    store.close();
  }
}
