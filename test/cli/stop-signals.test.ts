import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { stopSignals } from '../../src/cli/stop-signals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
afterEach(() => {
  vi.useRealTimers();
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal)) if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
});

it.each([
  { signal: 'SIGTERM', isAtTerminal: false, stops: true },
  { signal: 'SIGINT', isAtTerminal: true, stops: true },
  { signal: 'SIGHUP', isAtTerminal: true, stops: true },
  // As from logrotate or `systemctl kill -s HUP`.
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

const DRAIN_CUT = 'stopped before the drain finished; the next start recovers the emails in flight';
it.each([
  { milliseconds: 20, what: 'npm passes on what the terminal has sent to both', failure: undefined },
  { milliseconds: 1_000, what: '"Another signal ends the drain early if it comes at least a second after the first"', failure: DRAIN_CUT },
])('a second SIGINT after $milliseconds ms: $what', async ({ milliseconds, failure }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const signals = stopSignals(true);
  const ended = signals.drain(async () => {
    vi.advanceTimersByTime(milliseconds);
    process.emit('SIGINT', 'SIGINT');
    await setImmediate();
  });
  process.emit('SIGINT', 'SIGINT');
  expect((await ended)?.message).toBe(failure);
});
