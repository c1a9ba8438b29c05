import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap of the daemon close to its live data. By default V8 lets garbage pile up to gain speed that sending does not need: while
 * 4,000 emails were sent from 20 accounts, the process took 285 MB. It now takes 190, and a fifth more of the program's processor time.
 * Call it before anything is loaded, since the young generation never shrinks.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
