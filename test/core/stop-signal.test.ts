import { afterEach, expect, it, vi } from 'vitest';
import { onStopSignal, SAME_SIGNAL } from '../../src/core/stop-signal.ts';

const before = process.listeners('SIGINT');
const listening = () => process.listeners('SIGINT').filter((listener) => !before.includes(listener)).length;
afterEach(() => {
  vi.useRealTimers();
  for (const listener of process.listeners('SIGINT')) if (!before.includes(listener)) process.off('SIGINT', listener);
});

it('a signal that npm passes on once more finds a listener, also when the work has ended: "a later one ends the process at once"', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const ends: string[] = [];
  const stop = onStopSignal((signal) => ends.push(signal));
  process.emit('SIGINT', 'SIGINT');
  stop();
  process.emit('SIGINT', 'SIGINT');
  expect(ends).toEqual(['SIGINT', 'SIGINT']);
  vi.advanceTimersByTime(SAME_SIGNAL);
  // Without one, Node ends the process.
  expect(listening()).toBe(0);
});

it('without a signal it stops listening at once', () => {
  onStopSignal(() => undefined)();
  expect(listening()).toBe(0);
});
