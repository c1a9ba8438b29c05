import { describe, expect, it } from 'vitest';
import { type MemberExplanation, together } from '../../src/sending/forecast/explain-rotation.ts';

const member = (name: string, changed: Partial<MemberExplanation> = {}): MemberExplanation => ({
  ...{ campaign_id: 1, account_email: `${name}@example.com`, status: 'active', contacts: 5, active: 5, reasons: [], notes: [] },
  ...{ next_send_at: null, ...changed },
});

describe('a rotation group', () => {
  it('is sending if one of its accounts is; why the others are not stands in the notes, with their addresses', () => {
    const closed = { reasons: ['The window is closed.'] };
    const next = { next_send_at: '2026-07-08 12:00:00' };
    expect(together('active', [member('a'), member('b', closed), member('c', { ...closed, ...next }), member('d', next)])).toEqual({
      reasons: [],
      notes: ['b@example.com, c@example.com: The window is closed.'],
      ...next,
    });
  });

  it('says once what all its accounts say, and does not repeat an address', () => {
    const reasons = (name: string) => ({ reasons: ['The campaign is waiting.', `${name}@example.com has a daily limit of 0.`] });
    expect(together('active', [member('a', reasons('a')), member('b', reasons('b'))]).reasons).toEqual([
      'The campaign is waiting.',
      'a@example.com has a daily limit of 0.',
      'b@example.com has a daily limit of 0.',
    ]);
  });

  it('does not ask an account without active contacts, unless none has any', () => {
    const idle = member('a', { active: 0, reasons: ['No contact is left in the sequence: all have ended.'] });
    expect(together('active', [idle, member('b', { reasons: ['Paused.'] })]).reasons).toEqual(['Paused.']);
    expect(together('active', [idle, { ...idle, account_email: 'b@example.com' }]).reasons).toEqual(idle.reasons);
  });

  it('that is not active is explained by the account with the most contacts: they count for all', () => {
    const draft = member('a', { contacts: 0, reasons: ['The campaign is a draft and needs an enrolled contact.'] });
    expect(together('draft', [draft, member('b', { reasons: ['The campaign is a draft; activate it to start.'] })])).toEqual({
      reasons: ['The campaign is a draft; activate it to start.'],
      notes: [],
      next_send_at: null,
    });
  });
});
