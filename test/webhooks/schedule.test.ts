import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { bodyOf } from '../../src/webhooks/envelope.ts';
import { isGone, pauseAfter, restAfter, retryAfter } from '../../src/webhooks/schedule.ts';
import { anyText } from '../support/any-text.ts';

const NOW = new Date('2026-07-07T12:00:00Z');
const middle = { integer: () => 0 };

describe('When a message is tried again', () => {
  it('10 tries: at once, then after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h; about 3.1 days', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, middle));
    expect(pauses).toEqual([5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR, null]);
    const days = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / DAY;
    expect(days).toBeCloseTo(3.15, 2);
  });

  it('±20% jitter, both ends reached', () => {
    const random = seededRandom(11);
    const pauses = Array.from({ length: 5_000 }, () => pauseAfter(2, random) ?? 0);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * MINUTE);
    expect(Math.min(...pauses)).toBeLessThan(4.1 * MINUTE);
    expect(Math.max(...pauses)).toBeGreaterThan(5.9 * MINUTE);
  });

  it('Retry-After in seconds or as a date, at most 24 h; nonsense counts as none', () => {
    expect(retryAfter('120', NOW)).toBe(2 * MINUTE);
    expect(retryAfter('Tue, 07 Jul 2026 12:10:00 GMT', NOW)).toBe(10 * MINUTE);
    expect(retryAfter('999999999', NOW)).toBe(DAY);
    for (const nonsense of [undefined, '', 'soon', '-5', '1e9', 'Tue, 07 Jul 2020 12:10:00 GMT']) expect(retryAfter(nonsense, NOW)).toBe(0);
  });

  it('who only fails is left alone for a while, at most five minutes', () => {
    expect([0, 9, 10, 19, 20, 30, 70, 1_000_000].map(restAfter)).toEqual([0, 0, 5, 5, 10, 20, 300, 300].map((seconds) => seconds * SECOND));
  });

  it('gone: five days without one success and at least 20 failures', () => {
    const since = (days: number) => new Date(NOW.getTime() - days * DAY);
    expect(isGone(20, since(5), NOW)).toBe(true);
    expect(isGone(19, since(50), NOW)).toBe(false);
    expect(isGone(2_000, since(4.99), NOW)).toBe(false);
    expect(isGone(0, null, NOW)).toBe(false);
  });
});

describe('The body', () => {
  const message = (data: Record<string, unknown>, reply_body: string | null = null) => ({
    message_id: 'msg_1',
    type: 'event.replied',
    workspace_id: 1,
    timestamp: '2026-01-31T09:15:02Z',
    data,
    reply_body,
  });

  it('id, type, timestamp, workspace_id and data; nothing is cut while it is at most 20 KB', () => {
    expect(bodyOf(message({ event: { id: 1 } }, 'whole'))).toBe(
      '{"id":"msg_1","type":"event.replied","timestamp":"2026-01-31T09:15:02Z","workspace_id":1,"data":{"event":{"id":1},"reply_body":"whole"}}',
    );
  });

  it('is at most 20,000 bytes whatever it holds, stays JSON, and says that it was cut', () => {
    const text = anyText({ maxLength: 25_000, size: 'max' });
    const anything = fc.record({ reply: fc.option(text), field: text });
    fc.assert(
      fc.property(anything, ({ reply, field }) => {
        const data = { event: { id: 991, url: null }, contact: { id: 42, name: 'Ada', custom_fields: { note: field } } };
        const body = bodyOf(message(data, reply));
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);
        const { data: sent } = JSON.parse(body);
        expect(sent.event).toEqual(data.event);
        expect(sent.contact).toMatchObject({ id: 42, name: 'Ada' });
        if (sent.truncated) expect(sent.contact.custom_fields.note === field && sent.reply_body === reply).toBe(false);
        else expect(sent.contact.custom_fields.note).toBe(field);
      }),
      { numRuns: 25 },
    );
  });

  it('says so where the fields of the contact were too large to be stored with it', () => {
    const data = { event: { id: 1 }, contact: { id: 42, custom_fields: null } };
    for (const reply of [null, 'Yes', 'long '.repeat(10_000)]) {
      const { data: sent } = JSON.parse(bodyOf(message(data, reply)));
      expect(sent).toMatchObject({ event: { id: 1 }, contact: { id: 42, custom_fields: {} }, truncated: true });
      expect(reply ?? '').toContain(sent.reply_body ?? '');
    }
  });
});
