import { describe, expect, it } from 'vitest';
import { explainGroup, type MemberExplanation } from '../../src/sending/forecast/explain-rotation.ts';

const account = (name: string, changed: Partial<MemberExplanation['account']> = {}): MemberExplanation['account'] => ({
  ...{ account_id: name.charCodeAt(0), account_email: `${name}@example.com`, account_status: 'active', pause_reason: null },
  ...{ pause_message: null, account_is_gone: false, ...changed },
});

const member = (name: string, changed: Partial<MemberExplanation> = {}): MemberExplanation => ({
  ...{ campaign_id: 1, account_email: `${name}@example.com`, status: 'active', contacts: 5, active: 5, reasons: [], notes: [] },
  ...{ next_send_at: null, account: account(name), ...changed },
});

describe('a rotation group', () => {
  it('is sending if one of its accounts is; why the others are not stands in the notes, with their addresses', () => {
    const closed = { reasons: ['The window is closed.'] };
    const next = { next_send_at: '2026-07-08 12:00:00' };
    expect(explainGroup('active', [member('a'), member('b', closed), member('c', { ...closed, ...next }), member('d', next)])).toEqual({
      reasons: [],
      notes: ['b@example.com, c@example.com: The window is closed.'],
      ...next,
    });
  });

  it('says once what all its accounts say, and does not repeat an address', () => {
    const reasons = (name: string) => ({ reasons: ['The campaign is waiting.', `${name}@example.com has a daily limit of 0.`] });
    expect(explainGroup('active', [member('a', reasons('a')), member('b', reasons('b'))]).reasons).toEqual([
      'The campaign is waiting.',
      'a@example.com has a daily limit of 0.',
      'b@example.com has a daily limit of 0.',
    ]);
  });

  it('does not ask an account without active contacts, unless none has any', () => {
    const idle = member('a', { active: 0, reasons: ['No contact is left in the sequence: all have ended.'] });
    expect(explainGroup('active', [idle, member('b', { reasons: ['Paused.'] })]).reasons).toEqual(['Paused.']);
    expect(explainGroup('active', [idle, { ...idle, account_email: 'b@example.com' }]).reasons).toEqual(idle.reasons);
  });

  it('that is not active is explained by the account with the most contacts: they count for all', () => {
    const draft = member('a', { contacts: 0, reasons: ['The campaign is a draft and needs an enrolled contact.'] });
    expect(explainGroup('draft', [draft, member('b', { reasons: ['The campaign is a draft; activate it to start.'] })])).toEqual({
      reasons: ['The campaign is a draft; activate it to start.'],
      notes: [],
      next_send_at: null,
    });
  });

  it('"the one account that needs a person" comes first, "what paused is told once for many", and the advice works', () => {
    const limited = { account_status: 'paused', pause_reason: 'provider_limit', pause_message: '550 5.4.5 Daily limit.' } as const;
    const refused = { account_status: 'paused', pause_reason: 'provider_error', pause_message: '535 Wrong password.' } as const;
    const members = [
      member('anna', { status: 'paused', contacts: 9, account: account('anna', limited) }),
      member('ben', { status: 'paused', account: account('ben', limited) }),
      member('cleo', { status: 'paused', account: account('cleo', refused) }),
    ];
    const { reasons } = explainGroup('paused', members);
    expect(reasons).toEqual([
      'The account cleo@example.com is paused: 535 Wrong password. When this is fixed, resume it with: outreach account resume 99',
      'The accounts anna@example.com and ben@example.com are paused until their next local day because their provider limits them: 550 5.4.5 Daily limit.',
    ]);
    expect(reasons.join(), 'activating is refused while its account is paused').not.toContain('activate');
  });
});
