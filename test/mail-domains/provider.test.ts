import { describe, expect, it } from 'vitest';
import type { MemberState } from '../../src/campaigns/enrolments/open-members.ts';
import { placementOf } from '../../src/campaigns/enrolments/provider-match.ts';
import type { ProviderMatch } from '../../src/campaigns/options/campaign-options.ts';
import { type MailProvider, providerOfMx, publicName } from '../../src/mail-domains/index.ts';

describe('C4: the provider of a domain is that of the servers it prefers', () => {
  it.each([
    [['aspmx.l.google.com'], 'google'],
    [['SMTP.GOOGLE.COM.'], 'google'],
    [['gmail-smtp-in.l.google.com'], 'google'],
    [['acme-com.mail.protection.outlook.com'], 'microsoft'],
    [['outlook-com.olc.protection.outlook.com'], 'microsoft'],
    [['acme-com.a-v1.mx.microsoft'], 'microsoft'],
    [['mx.filter.example', 'aspmx.l.google.com'], 'other'],
    [['aspmx.l.google.com.evil.example'], 'other'],
    [['notgoogle.com'], 'other'],
    [[''], 'other'],
    [[], 'other'],
  ])('%j: %s', (exchanges, provider) => {
    const records = exchanges.map((exchange, index) => ({ exchange, priority: index * 10 }));
    expect(providerOfMx(records.toReversed())).toBe(provider);
  });
});

it.each([
  ['acme.com', 'acme.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['localhost', null],
  ['db.internal', null],
  ['printer.local', null],
  ['[127.0.0.1]', null],
  ['127.0.0.1', null],
  ['acme.test', null],
  ['a_b.com', null],
])('C4: only names of public DNS are asked for: %s', (domain, name) => expect(publicName(domain)).toBe(name));

describe('C4: where a contact of a rotation group goes', () => {
  const member = (id: number, provider: MailProvider | null, can_send = true): MemberState => ({ id, active: 0, can_send, provider });
  const both = [member(1, 'google'), member(2, 'microsoft')];
  const [atGoogle, atMicrosoft] = both as [MemberState, MemberState];
  const resting = [atGoogle, member(2, 'microsoft', false)];
  it.each<[MailProvider | null, ProviderMatch, MemberState[], number[], string | null]>([
    ['google', 'off', both, [1, 2], null],
    ['google', 'prefer', both, [1], null],
    ['google', 'require', both, [1], null],
    ['other', 'require', both, [1, 2], null],
    // prefer: the matching account sends if it can, else any; require waits for it.
    ['microsoft', 'prefer', resting, [1], null],
    ['microsoft', 'require', resting, [2], null],
    ['microsoft', 'prefer', [atGoogle], [1], null],
    ['microsoft', 'require', [atGoogle], [1], 'no account of the group sends from Microsoft, where a.com has its email'],
    ['google', 'require', [atMicrosoft], [2], 'no account of the group sends from Google, where a.com has its email'],
    // Nobody goes to a wrong account because a look-up is still to come.
    [null, 'prefer', both, [1, 2], 'the email provider of a.com is being looked up'],
    ['google', 'prefer', [member(1, null), atMicrosoft], [1, 2], 'the email provider of a.com is being looked up'],
  ])('%s, %s', (provider, match, open, ids, hold) => {
    const usual = open.filter(({ can_send }) => can_send);
    const place = placementOf({ domain: 'a.com', provider }, match, open, usual);
    expect({ ids: place.to.map(({ id }) => id), hold: place.hold }).toEqual({ ids, hold });
  });
});
