import { expect, it } from 'vitest';
import { holidaysAmong } from '../../src/cli/holidays-among.ts';

it('A forecast names each holiday that it leaves out, by the days of the campaign', () => {
  const among = (...times: string[]) =>
    holidaysAmong(
      times.map((send_at) => ({ send_at })),
      'DE',
      'Europe/Berlin',
    );
  expect(among('2026-12-22 10:00:00', '2026-12-28 10:00:00')).toEqual(['2026-12-25 (1. Weihnachtstag)', '2026-12-26 (2. Weihnachtstag)']);
  expect(among('2026-12-22 10:00:00', '2026-12-24 23:30:00')).toEqual(['2026-12-25 (1. Weihnachtstag)']);
  expect(among('2026-12-22 10:00:00')).toEqual([]);
  expect(among()).toEqual([]);
});
