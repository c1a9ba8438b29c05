import { expect, it } from 'vitest';
import { checkFreeSpace } from '../../src/doctor/installation.ts';

const MIB = 1024 ** 2;

it.each([
  [0, 'fail', 'the disk of /data is full, so nothing can be stored; free some space'],
  [500 * MIB, 'warn', '/data has only 0.5 GiB free; free some disk space'],
  [2048 * MIB, 'ok', '/data, 2.0 GiB free'],
])('%d bytes free: a disk on which nothing can be written is no mere warning', (bytes, result, message) => {
  expect(checkFreeSpace('/data', bytes)).toMatchObject({ result, message });
});
