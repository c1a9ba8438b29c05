import { render } from 'ink';
import { Dashboard } from './app.tsx';
import { apiOf, type DaemonAddress, openStream } from './connection.ts';
import { DashboardStore } from './store.ts';

export { type DaemonAddress, knock } from './connection.ts';

/** Frames a second at most: rows change five times a second, keys answer at once. */
const MAX_FPS = 20;

/**
 * Shows the dashboard on the terminal until somebody quits, the process is told to end, or `until` fires. Runs on the
 * terminal's other screen, which is left, with the cursor, however this ends.
 */
export async function showDashboard(address: DaemonAddress, until?: AbortSignal): Promise<void> {
  const api = apiOf(address);
  const store = new DashboardStore();
  const stream = openStream(api, store);
  // Ink takes the keyboard only after its first frame; a key that comes before would be echoed into it.
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  // `interactive`: left to itself Ink draws once and stays silent wherever a variable named CI is set, terminal or not.
  const screen = render(<Dashboard store={store} api={api} />, {
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: MAX_FPS,
  });
  const leave = () => screen.unmount();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  until?.addEventListener('abort', leave, { once: true });
  try {
    await screen.waitUntilExit();
  } finally {
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    for (const signal of signals) process.off(signal, leave);
    until?.removeEventListener('abort', leave);
    stream.close();
    store.close();
  }
}
