import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { nameServers } from '../../src/core/dns.ts';
import { sql } from '../../src/db/statement.ts';
import { checkHealth, pruneDomainReports } from '../../src/health/index.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { DMARC_SHAPES, reportMail, type SampleReport, TLS_SHAPES, tlsJson } from '../support/domain-reports.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

/** Reports about a domain that arrive in a polled mailbox: read, counted once, shown in health, and nobody's reply. */

const [ZOE, YAN] = ['zoe@example.com', 'yan@news.example.com'];
let installation: TestInstallation;
let app: App;
let server: ImapServer;
let dns: DnsServer;
let zoe: number;
let yan: number;

beforeAll(async () => {
  dns = await startDnsServer();
  installation = await testInstallation({ nameServers: dns.address, addressBlockLists: '', domainBlockLists: '' });
  app = installation.app;
  server = await startImapServer({ users: { [ZOE]: PASSWORD, [YAN]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(app, server.port, ZOE, { smtp: SMTP });
  yan = await mailboxAccount(app, server.port, YAN, { smtp: SMTP });
});
const SMTP = JSON.stringify({ host: 'smtp.provider.test', port: 587, secure: false, tls: 'required', user: null });

async function poll(account: number, user: string, ...raws: (Buffer | string)[]): Promise<void> {
  for (const raw of raws) await server.append(user, 'INBOX', raw.toString());
  expect(await new MailboxPoller(app).poll(account)).not.toBeNull();
  installation.clock.advance(MINUTE);
}

const shaped = (reporter: string, report: SampleReport): Buffer => DMARC_SHAPES[reporter]?.(report) ?? Buffer.alloc(0);
const begin = Date.UTC(2026, 6, 6) / 1_000;
const report = (reporter: string, domain = 'example.com', rows: SampleReport['rows'] = ROWS): SampleReport => ({
  ...{ domain, reporter, id: `${reporter} of today`, begin },
  rows,
});
const ROWS: SampleReport['rows'] = [
  { ip: '198.51.100.7', count: 900, dkim: 'pass', spf: 'pass', signer: 'example.com', selector: 'company7' },
  { ip: '203.0.113.9', count: 60, dkim: 'fail', spf: 'fail', signer: 'bulk.example.net', selector: 'k1' },
];
const checksOf = async (account: number) => {
  const outside = { dns: nameServers(app.config.nameServers), askServer: () => Promise.reject(new Error('away')) };
  const { checks } = await checkHealth(app, installation.caller, account, outside);
  return Object.fromEntries(checks.map(({ check, state, detail }) => [check, `${state}: ${detail}`]));
};
const kept = () => app.db.query(sql`select domain, kind, reporter from domain_reports order by created_at, reporter collate "C"`);

describe('reports about a domain', () => {
  it('who sends in its name and fails, over the receivers that report; each report once, in whichever mailbox it arrives', async () => {
    expect((await checksOf(zoe)).dmarc_reports).toMatch(/^unknown: no report arrived in 30 days; the DMARC record requests them with rua=/);
    const raws = [shaped('google.com', report('google.com')), shaped('Yahoo', report('Yahoo'))];
    await poll(zoe, ZOE, ...raws);
    await poll(yan, YAN, ...raws);
    await server.append(ZOE, 'INBOX', raws[0]?.toString() ?? '');
    await poll(zoe, ZOE);
    expect(await kept()).toEqual([
      { domain: 'example.com', kind: 'dmarc', reporter: 'Yahoo' },
      { domain: 'example.com', kind: 'dmarc', reporter: 'google.com' },
    ]);
    const expected =
      'watch: 30 days, 2 receivers: 120 of 1,920 emails in the name of example.com fail (6.3%), from 203.0.113.9 (bulk.example.net) 120';
    expect((await checksOf(zoe)).dmarc_reports).toBe(expected);
    // The domain of a report covers those below it.
    expect((await checksOf(yan)).dmarc_reports).toBe(expected.replace('of example.com', 'of news.example.com'));
  });

  it('a DKIM key is found by what receivers saw, whatever its selector', async () => {
    expect((await checksOf(zoe)).dkim).toMatch(/^unknown: no key/);
    dns.zone['company7._domainkey.example.com'] = { TXT: ['v=DKIM1; k=rsa; p=QUJD'] };
    expect((await checksOf(zoe)).dkim).toBe('good: company7._domainkey.example.com');
    // A key of somebody else who sends in its name proves nothing for it.
    expect(await app.db.query(sql`select distinct keys from domain_reports`)).toEqual([{ keys: ['company7._domainkey.example.com'] }]);
  });

  it('TLS failures by their reason', async () => {
    expect((await checksOf(zoe)).tls_reports).toBeUndefined();
    const tls = (reporter: string, failures: Record<string, number>) =>
      TLS_SHAPES[reporter]?.(report(reporter), tlsJson(report(reporter), 95, failures)) ?? '';
    await poll(
      zoe,
      ZOE,
      tls('Google Inc.', { 'certificate-expired': 4 }),
      tls('Mail.ru', { 'certificate-expired': 4, 'sts-policy-invalid': 2 }),
    );
    expect((await checksOf(zoe)).tls_reports).toBe(
      'watch: 30 days, 2 receivers: 10 of 200 sessions failed (5.0%): certificate-expired 8, sts-policy-invalid 2',
    );
  });

  it('is kept for the domains of the workspace’s own accounts only', async () => {
    const before = await kept();
    await poll(zoe, ZOE, shaped('Yahoo', report('Yahoo', 'elsewhere.example')), shaped('Yahoo', report('Yahoo', 'other.example.com')));
    expect(await kept()).toEqual(before);
  });

  it('one that can’t be read changes nothing, and the message says why', async () => {
    const before = await kept();
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const name = 'google.com!example.com!1!2.xml.gz';
    await poll(zoe, ZOE, reportMail({ subject: 'Report Domain: example.com', type: 'application/gzip', name, content: bomb }));
    expect(await kept()).toEqual(before);
    expect(await app.db.query(sql`select verdict, reasons->>0 as reason from inbound_messages order by id desc limit 1`)).toEqual([
      { verdict: 'none of ours', reason: expect.stringMatching(/^a report about a domain, which can't be read: it can't be unpacked/) },
    ]);
  });

  it('of the address that we wrote to, is no reply and holds nobody; an answer of a person who attaches one is a reply', async () => {
    const mail = await sentMail(installation, zoe, { recipient: 'dmarc@contoso.test' });
    const other = await sentMail(installation, zoe, { recipient: 'admin@contoso.test' });
    const withReport = (headers: string[]) => {
      const raw = shaped('Yahoo', report('contoso.test'));
      return Buffer.from(raw.toString().replace(/^From: .*$/m, headers.join('\r\n')));
    };
    await poll(zoe, ZOE, withReport(['From: dmarc@contoso.test', 'Auto-Submitted: auto-replied']));
    const enrolment = await rowOf<{ status: string; held_until: Date | null }>(app, 'enrolments', mail.enrolmentId);
    expect(enrolment).toMatchObject({ status: 'active', held_until: null });
    expect(await kept()).toContainEqual({ domain: 'example.com', kind: 'dmarc', reporter: 'contoso.test' });
    const answer = withReport(['From: admin@contoso.test', `In-Reply-To: ${other.messageId}`])
      .toString()
      .replace('This is an aggregate report.', 'Why do you fail DMARC here? Please call me.')
      .replace(/Message-ID: .*/, 'Message-ID: <a-person@contoso.test>');
    await poll(zoe, ZOE, answer);
    expect(await rowOf(app, 'enrolments', other.enrolmentId)).toMatchObject({ status: 'replied' });
  });

  it('is deleted after the days of other messages that are about none of our emails', async () => {
    const before = await kept();
    installation.clock.advance(28 * DAY);
    expect((await checksOf(zoe)).dmarc_reports).toMatch(/^watch/);
    installation.clock.advance(2 * DAY);
    expect((await checksOf(zoe)).dmarc_reports).toMatch(/^unknown/);
    expect(await pruneDomainReports(app)).toBe(0);
    installation.clock.advance(366 * DAY);
    expect(await pruneDomainReports(app)).toBe(before.length);
    expect(await kept()).toEqual([]);
  });
});
