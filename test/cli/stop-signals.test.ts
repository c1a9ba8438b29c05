import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { stopSignals } from '../../src/cli/stop-signals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
afterEach(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal)) if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
});

it.each([
  { signal: 'SIGTERM', isAtTerminal: false, stops: true },
  { signal: 'SIGINT', isAtTerminal: true, stops: true },
  { signal: 'SIGHUP', isAtTerminal: true, stops: true },
  // logrotate, `systemctl kill -s HUP`.
  { signal: 'SIGHUP', isAtTerminal: false, stops: false },
  { signal: 'SIGUSR1', isAtTerminal: false, stops: false },
  { signal: 'SIGUSR2', isAtTerminal: false, stops: false },
] as const)('$signal to a daemon (at a terminal: $isAtTerminal) asks it to drain: $stops', async ({ signal, isAtTerminal, stops }) => {
  const signals = stopSignals(isAtTerminal);
  const came = once(process, signal);
  // Without a listener, this would end the test run, or open the inspector.
  process.kill(process.pid, signal);
  await came;
  expect(signals.isStopping()).toBe(stops);
});
