import { describe, expect, it } from 'vitest';
import { holdUntil } from '../../src/inbound/absence.ts';

/** The rule for the hold of an absence: docs/what-a-message-proves.md. Now is Tuesday, 7 July 2026. */
const NOW = new Date('2026-07-07T12:00:00Z');

describe('an absence holds an enrolment', () => {
  it.each([
    ['until the working day after the return', '2026-07-17', '2026-07-20T00:00:00Z'],
    ['for seven days if no day is named', null, '2026-07-14T12:00:00Z'],
    ['for 30 days at most, whatever day is named', '2027-07-07', '2026-08-06T12:00:00Z'],
  ])('%s', (_, day, expected) => expect(holdUntil(day, NOW, 'UTC')).toEqual(new Date(expected)));
});
