import { describe, expect, it } from 'vitest';
import type { DnsLookups } from '../../src/core/dns.ts';
import type { Check } from '../../src/health/check.ts';
import { checkDkim } from '../../src/health/dkim.ts';
import { checkDmarc, checkMx } from '../../src/health/sender-domain.ts';
import { checkSpf, type SendingServer } from '../../src/health/spf.ts';
import type { DkimKey } from '../../src/mail/dkim.ts';

type Records = { mx?: [number, string][]; txt?: Record<string, string[]>; a?: Record<string, string[]> };

const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

/** DNS that holds these records; names without any are unknown. */
const dnsOf = ({ mx, txt = {}, a = {} }: Records): DnsLookups => ({
  resolveMx: async () => mx?.map(([priority, exchange]) => ({ priority, exchange })) ?? failure('ENOTFOUND'),
  // A string of a TXT record holds 255 octets at most, so long ones come in pieces.
  resolveTxt: async (name) => txt[name]?.map((text) => [text.slice(0, 5), text.slice(5)]) ?? failure('ENODATA'),
  resolve4: async (name) => a[name] ?? failure('ENODATA'),
  resolve6: () => failure('ENODATA'),
  reverse: () => failure('ENOTFOUND'),
});

const said = async (check: Promise<Check>): Promise<string> => {
  const { state, detail, remedy } = await check;
  return `${state}: ${detail}${remedy === null ? '' : `; ${remedy}`}`;
};

const SPF = 'v=spf1 include:_spf.example.net ~all';
const DMARC = 'v=DMARC1; p=none; rua=mailto:d@example.com';

describe('the MX record of a sender’s domain', () => {
  it.each([
    [
      [
        [20, 'b.example.com'],
        [10, 'a.example.com'],
      ],
      /^good: a\.example\.com, b\.example\.com$/,
    ],
    [undefined, /^stop: the domain example\.com does not exist/],
    [[[0, '']], /^stop: a null MX record/],
    [[], /^watch: no MX record/],
  ] as [[number, string][] | undefined, RegExp][])('%j', async (mx, expected) => {
    expect(await said(checkMx('example.com', dnsOf(mx === undefined ? {} : { mx }), 1))).toMatch(expected);
  });

  it('a name server that fails or says nothing is not waited for, and says nothing against the domain', async () => {
    const silent: DnsLookups = { ...dnsOf({}), resolveMx: () => new Promise(() => undefined), resolveTxt: () => failure('ESERVFAIL') };
    expect(await said(checkMx('example.com', silent, 0.1))).toBe(
      'unanswered: the DNS lookup failed (ETIMEOUT); check the name server of this machine',
    );
    expect(await said(checkDmarc('example.com', [], silent, 0.1))).toMatch(/^unanswered: .*\(ESERVFAIL\)/);
  });
});

describe('SPF', () => {
  const ten = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`i${index}.example.net`, ['v=spf1 -all']]));
  const many = `v=spf1 ${Object.keys(ten)
    .map((name) => `include:${name}`)
    .join(' ')} -all`;
  const loop = { 'loop.example.net': ['v=spf1 include:example.com include:loop.example.net -all'] };
  it.each([
    [[], {}, /^watch: no SPF record; add a TXT record/],
    [['v=spf10 all', 'spf1'], {}, /^watch: no SPF record/],
    [[SPF], {}, /^good: v=spf1 include/],
    [[SPF, 'v=spf1 -all'], {}, /^stop: several SPF records/],
    [['v=spf1 +all'], {}, /^watch: .*allows anyone to send/],
    [['v=spf1 mx all'], {}, /^watch: .*allows anyone to send/],
    [['v=spf1 mx ?all'], {}, /^good: /],
    [['V=SPF1 redirect=_spf.example.net'], {}, /^good: /],
    [['v=spf1 include:gone.example.net -all'], {}, /^stop: .*includes gone\.example\.net, which has no SPF record/],
    [[many], {}, /^stop: .*needs 11 DNS look-ups/],
    [['v=spf1 include:loop.example.net -all'], {}, /^good: /],
    // The server that sends must be allowed.
    [['v=spf1 ip4:93.184.216.0/24 -all'], { addresses: ['93.184.216.34'] }, /^good: /],
    [[SPF], { addresses: ['93.184.216.34'] }, /^good: /],
    [['v=spf1 mx -all'], { addresses: ['93.184.216.40'] }, /^good: /],
    [['v=spf1 mx/30 -all'], { addresses: ['93.184.216.43'] }, /^good: /],
    [['v=spf1 a -all'], { addresses: ['93.184.216.50'] }, /^good: /],
    [['v=spf1 ip4:93.184.216.35 -ip4:93.184.216.34 -all'], { addresses: ['93.184.216.34'] }, /^stop: .*add ip4:93\.184\.216\.34$/],
    [[SPF], { include: '_spf.google.com' }, /^stop: .*add include:_spf\.google\.com$/],
    [['v=spf1 include:_spf.google.com ~all'], { include: '_spf.google.com' }, /^good: /],
    [['v=spf1 exists:%{i}.example.net -all'], { addresses: ['93.184.216.34'] }, /^good: /],
    [['v=spf1 \u001b[2J\nfail  database: gone ~all'], {}, /^good: v=spf1 \[2J fail database: gone ~all$/],
  ] as [string[], Partial<SendingServer>, RegExp][])('%j sent by %j', async (records, server, expected) => {
    const dns = dnsOf({
      mx: [[1, 'mx.example.com']],
      a: { 'mx.example.com': ['93.184.216.40'], 'example.com': ['93.184.216.50'] },
      txt: {
        ...ten,
        ...loop,
        'example.com': records,
        '_spf.example.net': ['v=spf1 ip4:93.184.216.34 ip6:2606:2800::/32 ~all'],
        '_spf.google.com': ['v=spf1 -all'],
      },
    });
    expect(await said(checkSpf('example.com', { addresses: [], include: null, ...server }, dns, 1))).toMatch(expected);
  });
});

describe('DMARC for a subdomain: its own record, else that of the nearest parent', () => {
  it.each([
    [{}, [], /^watch: no DMARC record/],
    [{ '_dmarc.mail.example.com': [DMARC] }, [], /^good: v=DMARC1; p=none; rua=\S+$/],
    [{ '_dmarc.example.com': ['v=DMARC1;p=reject'] }, [], /^good: v=DMARC1;p=reject \(from example\.com\)$/],
    [{ '_dmarc.com': [DMARC] }, [], /^watch: no DMARC record/],
    [{ '_dmarc.mail.example.com': [DMARC, DMARC] }, [], /^stop: several DMARC records/],
    [{ '_dmarc.mail.example.com': ['v=DMARC1; rua=mailto:d@example.com'] }, [], /^watch: .*has no policy/],
    // RFC 7489 §3.1.1: relaxed by default, strict if adkim=s.
    [{ '_dmarc.mail.example.com': [DMARC] }, ['example.com'], /^good: .*DKIM is aligned \(example\.com\)$/],
    [{ '_dmarc.mail.example.com': ['v=DMARC1; p=none; adkim=s'] }, ['example.com'], /^watch: .*not aligned with mail\.example\.com/],
    [{ '_dmarc.mail.example.com': [DMARC] }, ['provider.example'], /^watch: .*signed by provider\.example, which is not aligned/],
  ] as [Record<string, string[]>, string[], RegExp][])('%j signed by %j', async (txt, signedBy, expected) => {
    expect(await said(checkDmarc('mail.example.com', signedBy, dnsOf({ txt }), 1))).toMatch(expected);
  });
});

describe('DKIM', () => {
  const key: DkimKey = { domain: 'example.com', selector: 's1', algorithm: 'rsa', public_key: 'QUJD', until: null };
  const now = new Date('2026-07-07T12:00:00Z');
  const former = (until: string) => ({ ...key, until });
  const P = 'v=DKIM1; k=rsa; p=QUJD';
  const at = (selector: string, ...records: string[]) => ({ [`${selector}._domainkey.example.com`]: records });
  it.each([
    ['our key', { dkim: [key] }, at('s1', P), /^good: s1\._domainkey\.example\.com matches the key we sign with$/],
    ['folded', { dkim: [key] }, at('s1', 'k=rsa;p=QU JD'), /^good/],
    ['not published', { dkim: [key] }, {}, /^stop: no record s1\._domainkey\.example\.com, .*outreach account show 3$/],
    ['another', { dkim: [key] }, at('s1', 'v=DKIM1; p=WFla'), /^stop: the key at .* is not the one we sign with/],
    ['revoked', { dkim: [key] }, at('s1', 'v=DKIM1; p='), /^stop: the key at .* is revoked/],
    ['several', { dkim: [key] }, at('s1', P, 'v=DKIM1; p=WFla'), /^stop: several records/],
    ['a former key still under way', { dkim: [former('2026-06-24T00:00:00Z')] }, {}, /^watch: .*may be in transit until 2026-07-08;/],
    ['a former key that is done with', { dkim: [former('2026-06-23T00:00:00Z')] }, {}, /^unknown: no key under any of/],
    ['a usual selector', {}, at('google', P), /^good: google\._domainkey\.example\.com$/],
    ['none that is known', {}, {}, /^unknown: .*; turn on DKIM at the provider/],
  ] as [string, { dkim?: DkimKey[] }, Record<string, string[]>, RegExp][])('%s', async (_, account, txt, expected) => {
    const { check } = await checkDkim({ id: 3, domain: 'example.com', dkim: [], seen: [], ...account }, dnsOf({ txt }), now, 1);
    expect(await said(Promise.resolve(check))).toMatch(expected);
  });
});
