import { expect, it } from 'vitest';
import { ACCOUNT_COLUMNS } from '../../src/dashboard/columns.ts';

it.each([
  ['active', 'in 3 d'],
  ['paused', '–'],
  ['disconnected', '–'],
])('the next batch of an account that is %s: %s', (status, shown) => {
  const now = '2026-07-07 12:00:00';
  const column = ACCOUNT_COLUMNS.find(({ title }) => title === 'Next batch');
  expect(column?.text({ status, next_batch_at: '2026-07-10 12:00:00' } as never, now)).toBe(shown);
});
