import { describe, expect, it } from 'vitest';
import { checkSenderDomain, type DnsLookups } from '../../src/doctor/index.ts';

type Records = { mx?: [number, string][]; txt?: Record<string, string[]> };

const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

/** DNS that holds these records; names without any are unknown. */
function dnsOf({ mx, txt = {} }: Records): DnsLookups {
  return {
    resolveMx: async () => mx?.map(([priority, exchange]) => ({ priority, exchange })) ?? failure('ENOTFOUND'),
    // A string of a TXT record holds 255 octets at most, so long ones come in pieces.
    resolveTxt: async (name) => txt[name]?.map((text) => [text.slice(0, 5), text.slice(5)]) ?? failure('ENODATA'),
  };
}

async function findings(records: Records, domain = 'example.com'): Promise<Record<string, string>> {
  const found = await checkSenderDomain(domain, dnsOf(records), 1);
  return Object.fromEntries(found.map(({ check, result, message }) => [check.replace(`DNS ${domain} `, ''), `${result}: ${message}`]));
}

const SPF = 'v=spf1 include:_spf.example.net ~all';
const DMARC = 'v=DMARC1; p=none; rua=mailto:d@example.com';

describe('the DNS records of a sender’s domain', () => {
  it('a domain with MX, SPF and DMARC is fine', async () => {
    const records = {
      mx: [
        [20, 'b.example.com'],
        [10, 'a.example.com'],
      ] as [number, string][],
      txt: { 'example.com': ['x', SPF], '_dmarc.example.com': [DMARC] },
    };
    expect(await findings(records)).toEqual({ MX: 'ok: a.example.com, b.example.com', SPF: `ok: ${SPF}`, DMARC: `ok: ${DMARC}` });
  });

  it('a domain that does not exist, or takes no mail, fails', async () => {
    expect((await findings({})).MX).toMatch(/^fail: the domain does not exist/);
    expect((await findings({ mx: [[0, '']] })).MX).toMatch(/^fail: a null MX record/);
    expect((await findings({ mx: [] })).MX).toMatch(/^warn: no MX record/);
  });

  it.each([
    [[], /^warn: no SPF record; add a TXT record/],
    [['v=spf10 all', 'spf1'], /^warn: no SPF record/],
    [[SPF, 'v=spf1 -all'], /^fail: several SPF records/],
    [['v=spf1 +all'], /^warn: .*allows anyone to send/],
    [['v=spf1 mx all'], /^warn: .*allows anyone to send/],
    [['v=spf1 mx ?all'], /^ok: /],
    [['V=SPF1 redirect=_spf.example.net'], /^ok: /],
  ])('SPF %j', async (records, expected) => {
    expect((await findings({ txt: { 'example.com': records } })).SPF).toMatch(expected);
  });

  it.each([
    [{}, /^warn: no DMARC record/],
    [{ '_dmarc.mail.example.com': [DMARC] }, /^ok: v=DMARC1; p=none; rua=\S+$/],
    [{ '_dmarc.example.com': ['v=DMARC1;p=reject'] }, /^ok: v=DMARC1;p=reject \(from example\.com\)$/],
    [{ '_dmarc.com': [DMARC] }, /^warn: no DMARC record/],
    [{ '_dmarc.mail.example.com': [DMARC, DMARC] }, /^fail: several DMARC records/],
    [{ '_dmarc.mail.example.com': ['v=DMARC1; rua=mailto:d@example.com'] }, /^warn: .*has no policy/],
  ])('DMARC %j for a subdomain: its own record, else that of the nearest parent', async (txt, expected) => {
    expect((await findings({ txt }, 'mail.example.com')).DMARC).toMatch(expected);
  });

  it('a name server that fails or says nothing is a warning, and is not waited for', async () => {
    const silent: DnsLookups = { resolveMx: () => new Promise(() => undefined), resolveTxt: () => failure('ESERVFAIL') };
    const found = await checkSenderDomain('example.com', silent, 0.1);
    expect(found.map(({ result, message }) => `${result}: ${message}`)).toEqual([
      'warn: the DNS lookup failed (ETIMEOUT); check the name server of this machine',
      'warn: the DNS lookup failed (ESERVFAIL); check the name server of this machine',
      'warn: the DNS lookup failed (ESERVFAIL); check the name server of this machine',
    ]);
  });

  it('terminal sequences in a record do not come through', async () => {
    expect((await findings({ txt: { 'example.com': ['v=spf1 \u001b[2J\nfail  database: gone ~all'] } })).SPF).toBe(
      'ok: v=spf1 [2J fail database: gone ~all',
    );
  });
});
