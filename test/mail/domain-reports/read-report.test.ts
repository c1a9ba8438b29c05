import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/mail/classify/read-message.ts';
import { DMARC_SHAPES, dmarcXml, reportMail, type SampleReport, TLS_SHAPES, tlsJson, zip } from '../../support/domain-reports.ts';

const DAY_1 = Date.UTC(2026, 6, 1) / 1_000;
const MEGABYTE = 1024 * 1024;

const sample = (reporter: string, index: number): SampleReport => ({
  ...{ domain: 'example.com', reporter, id: `${reporter}-${index}`, begin: DAY_1 + index * 86_400 },
  rows: [
    { ip: '198.51.100.7', count: 100 + index, dkim: 'pass', spf: 'pass', signer: 'example.com', selector: 's1' },
    { ip: '198.51.100.7', count: 5, dkim: 'pass', spf: 'fail', signer: 'example.com', selector: 's1' },
    { ip: '2001:db8::25', count: index, dkim: 'fail', spf: 'fail', signer: 'bulk.example.net', selector: 'k1' },
    { ip: '203.0.113.9', count: 2, dkim: 'fail', spf: 'fail' },
  ],
});
const day = (index: number) => new Date((DAY_1 + index * 86_400) * 1_000).toISOString().slice(0, 10);
const reportIn = async (raw: Buffer) => (await readMessage(raw)).report;

describe('a hundred reports of fourteen receivers', () => {
  it.each(Object.entries(DMARC_SHAPES))('DMARC: %s', async (reporter, mail) => {
    for (let index = 1; index <= 8; index++) {
      expect(await reportIn(mail(sample(reporter, index))), `report ${index}`).toEqual({
        ...{ kind: 'dmarc', domain: 'example.com', reporter, reportId: `${reporter}-${index}`, day: day(index) },
        // An email passes if one of the two checks does (RFC 7489 §6.6.2).
        sources: [
          ...(index > 2 ? [{ source: '2001:db8::25', by: 'bulk.example.net', passed: 0, failed: index }] : []),
          ...(index === 2 ? [{ source: '2001:db8::25', by: 'bulk.example.net', passed: 0, failed: 2 }] : []),
          { source: '203.0.113.9', by: null, passed: 0, failed: 2 },
          ...(index === 1 ? [{ source: '2001:db8::25', by: 'bulk.example.net', passed: 0, failed: 1 }] : []),
          { source: '198.51.100.7', by: null, passed: 105 + index, failed: 0 },
        ],
        keys: ['s1._domainkey.example.com'],
      });
    }
  });

  it.each(Object.entries(TLS_SHAPES))('TLS: %s', async (reporter, mail) => {
    for (let index = 1; index <= 5; index++) {
      const report = sample(reporter, index);
      const failures: Record<string, number> = index === 1 ? {} : { 'certificate-expired': index, 'starttls-not-supported': 1 };
      expect(await reportIn(mail(report, tlsJson(report, 1_000, failures))), `report ${index}`).toEqual({
        ...{ kind: 'tls', domain: 'example.com', reporter, reportId: report.id, day: day(index), keys: [] },
        sources: [
          ...(index === 1 ? [] : [{ source: 'certificate-expired', by: null, passed: 0, failed: index }]),
          ...(index === 1 ? [] : [{ source: 'starttls-not-supported', by: null, passed: 0, failed: 1 }]),
          { source: 'none', by: null, passed: 1_000, failed: 0 },
        ],
      });
    }
  });

  it('DMARC within an element of its schema that is never closed', async () => {
    const wrapped = dmarcXml(sample('google.com', 1)).replace(
      '<feedback',
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n<feedback',
    );
    const expected = await reportIn(attached(dmarcXml(sample('google.com', 1)), `${NAME}.xml`));
    expect(expected).toMatchObject({ kind: 'dmarc', domain: 'example.com' });
    expect(await reportIn(attached(wrapped, `${NAME}.xml`))).toEqual(expected);
  });

  it.each<[string, (string | undefined)[], string | null, unknown]>([
    ['names none, as for a domain without a policy', [undefined], 'TLS-Report-Domain: example.com', { domain: 'example.com', passed: 10 }],
    [
      'is the name of a mail server',
      ['mx1.host.test', 'mx2.host.test'],
      'TLS-Report-Domain: example.com',
      { domain: 'example.com', passed: 20 },
    ],
    ['names none beside one that does', [undefined, 'example.com'], null, { domain: 'example.com', passed: 20 }],
    ['is another', ['example.com', 'example.org'], null, { domain: 'example.com', passed: 10 }],
    ['names none, and neither does the message', [undefined], null, { refused: 'it names no domain' }],
  ])('TLS whose policy-domain %s', async (_, policyDomains, header, expected) => {
    const { policies, ...rest } = JSON.parse(tlsJson(sample('Postfix', 1), 10));
    const each = policyDomains.map((domain) => ({ ...policies[0], policy: { 'policy-type': 'tlsa', 'policy-domain': domain } }));
    const raw = attached(JSON.stringify({ ...rest, policies: each }), `${NAME}.json`).toString();
    const report = await reportIn(Buffer.from(header === null ? raw : `${header}\r\n${raw}`));
    const read = report !== null && 'sources' in report ? { domain: report.domain, passed: report.sources[0]?.passed } : report;
    expect(read).toEqual(expected);
  });

  it('of thousands of sources, those with the most failures are kept', async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, at) => ({ ip: `10.0.${at >> 8}.${at & 255}`, count: at, dkim: 'fail', spf: 'fail' }) as const,
    );
    const report = await reportIn(DMARC_SHAPES.Yahoo?.({ ...sample('Yahoo', 1), rows }) ?? Buffer.alloc(0));
    expect(report).toMatchObject({ kind: 'dmarc' });
    const sources = report !== null && 'sources' in report ? report.sources : [];
    expect([sources.length, sources[0]?.failed, sources.at(-1)?.failed]).toEqual([200, 4_999, 4_800]);
  });
});

const NAME = 'google.com!example.com!1!2';
const attached = (content: Buffer | string, name = `${NAME}.xml.gz`) =>
  reportMail({ subject: 'Report Domain: example.com', type: 'application/octet-stream', name, content: Buffer.from(content) });
const xml = dmarcXml(sample('google.com', 1));
const bomb = Buffer.alloc(100 * MEGABYTE, 'a');
const hugeXml = Buffer.from(`${xml.slice(0, -'</feedback>'.length)}${'<record><row><x>y</x></row></record>'.repeat(500_000)}</feedback>`);
const entities = `<?xml version="1.0"?><!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.slice(xml.indexOf('<feedback'))}`;
const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${xml.slice(xml.indexOf('<feedback'))}`;

describe('hostile and damaged ones are refused, with the reason, in bounded memory', () => {
  it.each<[string, Buffer, RegExp]>([
    ['a gzip bomb of 100 MB', attached(gzipSync(bomb)), /can't be unpacked/],
    ['a ZIP bomb of 100 MB', attached(zip('a.xml', bomb), `${NAME}.zip`), /its 104857600 bytes are over the limit of 16777216/],
    ['a ZIP bomb that lies about its size', attached(zip('a.xml', bomb, 1_000), `${NAME}.zip`), /can't be unpacked.*too many bytes/],
    ['a bomb within a bomb', attached(gzipSync(gzipSync(bomb))), /can't be unpacked/],
    ['an archive in an archive in an archive', attached(gzipSync(gzipSync(gzipSync(xml)))), /neither XML nor JSON/],
    ['18 MB of records', attached(gzipSync(hugeXml)), /can't be unpacked/],
    ['a hundred megabytes of message', attached(Buffer.alloc(70 * MEGABYTE, 'a')), /neither XML nor JSON/],
    ['an external entity', attached(entities, `${NAME}.xml`), /declares a document type/],
    ['entities that multiply', attached(laughs, `${NAME}.xml`), /declares a document type/],
    ['a million nested elements', attached(`<feedback>${'<a>'.repeat(1_000_000)}`, `${NAME}.xml`), /nested too deeply/],
    ['XML that is cut off', attached(xml.slice(0, 900), `${NAME}.xml`), /truncated/],
    ['gzip that is cut off', attached(gzipSync(xml).subarray(0, 200)), /can't be unpacked \(unexpected end of file\)/],
    ['a ZIP archive that is cut off', attached(zip('a.xml', Buffer.from(xml)).subarray(0, 300), `${NAME}.zip`), /can't be unpacked/],
    ['an archive without a report', attached(zip('setup.exe', Buffer.from(xml)), `${NAME}.zip`), /it contains no report/],
    ['another XML', attached('<html><body>Hello</body></html>', `${NAME}.xml`), /not a DMARC report/],
    ['a picture', attached(Buffer.of(0x89, 0x50, 0x4e, 0x47), `${NAME}.gz`), /neither XML nor JSON/],
    ['JSON of something else', attached('{"policies":[]}', `${NAME}.json`), /not a TLS report \(date-range/],
    ['JSON without an end', attached('{"policies":['.repeat(100_000), `${NAME}.json`), /not a TLS report/],
    ['no domain', attached(xml.replace('<domain>example.com', '<domain>not a domain'), `${NAME}.xml`), /names no domain/],
    ['no date', attached(xml.replace(/<begin>\d+/, '<begin>yesterday'), `${NAME}.xml`), /no date/],
    ['no id', attached(xml.replace(/<report_id>[^<]+/, '<report_id>'), `${NAME}.xml`), /no id/],
    ['no attachment that is one', attached('', `${NAME}.xml`), /neither XML nor JSON/],
  ])('%s', async (_, raw, refused) => {
    const before = process.resourceUsage().maxRSS;
    expect(await reportIn(raw)).toEqual({ refused: expect.stringMatching(refused) });
    // In KB. The messages themselves are already in memory.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(400 * 1024);
  });

  it('counts that are none, addresses that are none, and names that nobody has are left out', async () => {
    const odd = xml
      .replace('<count>101</count>', '<count>-5</count>')
      .replace('2001:db8::25', 'not an address')
      .replace('<count>2</count>', '<count>99999999999</count>');
    expect(await reportIn(attached(odd, `${NAME}.xml`))).toMatchObject({
      sources: [{ source: '198.51.100.7', by: null, passed: 5, failed: 0 }],
    });
  });

  it.each([
    ['a reply with a packed file', { subject: 'Re: Hello', name: 'contract.zip' }],
    ['a reply with a table', { subject: 'Our report', name: 'report.xml' }],
  ])('%s does not say that it is a report, so none is looked for', async (_, parts) => {
    expect(await reportIn(reportMail({ ...parts, type: 'application/zip', content: gzipSync(xml) }))).toBeNull();
  });
});
