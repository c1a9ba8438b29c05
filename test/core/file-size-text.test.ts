import { expect, it } from 'vitest';
import { fileSizeText } from '../../src/core/english.ts';
import { MAX_ATTACHED_BYTES } from '../../src/uploads/attachments.ts';

it('the size of a file is told in the unit of the limit that holds for it', () => {
  expect([0, 1, 1_023, 1_024, 48 * 1_024, 3.1 * 1_048_576, MAX_ATTACHED_BYTES].map(fileSizeText)).toEqual([
    ...['0 bytes', '1 byte', '1,023 bytes', '1 KiB', '48 KiB', '3.1 MiB', '15.0 MiB'],
  ]);
});
