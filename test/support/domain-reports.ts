import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A report as its receiver wrote it, before it is attached. */
export interface SampleReport {
  domain: string;
  reporter: string;
  id: string;
  /** Seconds since 1970. */
  begin: number;
  rows: SampleRow[];
}

interface SampleRow {
  ip: string;
  count: number;
  dkim: 'pass' | 'fail';
  spf: 'pass' | 'fail';
  signer?: string;
  selector?: string;
}

/** Makes a ZIP archive with one entry (APPNOTE 4.3). It may declare a false size. */
export function zip(name: string, content: Buffer, saidSize = content.length): Buffer {
  const packed = deflateRawSync(content);
  const file = Buffer.from(name);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(saidSize, 18);
  fields.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, file, packed]);
  const central = Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.of(20, 0), fields, Buffer.alloc(14), file]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\u0005\u0006'), end]);
}

/** The details in which receivers differ. */
interface Spelling {
  declaration?: string;
  root?: string;
  prefix?: string;
  version?: boolean;
  capitals?: boolean;
  withTo?: boolean;
}

/** An aggregate report (RFC 7489 Appendix C). */
export function dmarcXml({ domain, reporter, id, begin, rows }: SampleReport, spelling: Spelling = {}): string {
  const { declaration = '<?xml version="1.0" encoding="UTF-8" ?>', root = '', prefix = '', version = true, capitals = false } = spelling;
  const element = (name: string, content: string) => `<${prefix}${name}>${content}</${prefix}${name}>\n`;
  const word = (result: string) => (capitals ? `${result[0]?.toUpperCase()}${result.slice(1)}` : result);
  const record = ({ ip, count, dkim, spf, signer, selector }: SampleRow) => {
    const evaluated = element('disposition', 'none') + element('dkim', word(dkim)) + element('spf', word(spf));
    const row = element('source_ip', ip) + element('count', `${count}`) + element('policy_evaluated', evaluated);
    const signature =
      signer === undefined
        ? ''
        : element('dkim', element('domain', signer) + element('selector', selector ?? '') + element('result', word('pass')));
    const results = signature + element('spf', element('domain', signer ?? domain) + element('result', word(spf)));
    const identifiers = (spelling.withTo ? element('envelope_to', 'hotmail.com') : '') + element('header_from', domain);
    return element('record', element('row', row) + element('identifiers', identifiers) + element('auth_results', results));
  };
  const metadata =
    element('org_name', reporter) + element('email', `noreply@${reporter.replaceAll(/[^a-z.]/gi, '')}`) + element('report_id', id);
  const range = element('date_range', element('begin', `${begin}`) + element('end', `${begin + 86_399}`));
  const policy = element('domain', domain) + element('adkim', 'r') + element('aspf', 'r') + element('p', 'none') + element('pct', '100');
  const content = element('report_metadata', metadata + range) + element('policy_published', policy) + rows.map(record).join('');
  return `${declaration}\n<${prefix}feedback${root}>\n${version ? element('version', '1.0') : ''}${content}</${prefix}feedback>`;
}

/** A report about TLS (RFC 8460 §4.4). */
export const tlsJson = ({ domain, reporter, id, begin }: SampleReport, successes: number, failures: Record<string, number> = {}): string =>
  JSON.stringify({
    'organization-name': reporter,
    'date-range': {
      'start-datetime': new Date(begin * 1_000).toISOString(),
      'end-datetime': new Date((begin + 86_399) * 1_000).toISOString(),
    },
    'contact-info': 'smtp-tls-reporting@example.net',
    'report-id': id,
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: testing'],
          'policy-domain': domain,
          'mx-host': ['mx.example.com'],
        },
        summary: {
          'total-successful-session-count': successes,
          'total-failure-session-count': Object.values(failures).reduce((sum, count) => sum + count, 0),
        },
        ...(Object.keys(failures).length === 0
          ? {}
          : {
              'failure-details': Object.entries(failures).map(([type, count]) => ({
                ...{
                  'result-type': type,
                  'sending-mta-ip': '203.0.113.5',
                  'receiving-mx-hostname': 'mx.example.com',
                  'failed-session-count': count,
                },
              })),
            }),
      },
    ],
  });

/** A message with one attachment. @param alone without a text part: the attachment is the body */
export function reportMail(options: {
  subject: string;
  type: string;
  name: string;
  content: Buffer;
  alone?: boolean;
  headers?: string[];
}): Buffer {
  const { subject, type, name, content, alone = false, headers = ['From: noreply-dmarc-support@google.com'] } = options;
  const base64 = content.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const part = [
    `Content-Type: ${type}; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    base64,
  ];
  const head = [
    ...headers,
    'To: dmarc@example.com',
    `Subject: ${subject}`,
    'Date: Tue, 7 Jul 2026 06:00:00 +0000',
    `Message-ID: <${crc32(subject + name)}-${content.length}@reports.example>`,
    'MIME-Version: 1.0',
  ];
  const multipart = [
    'Content-Type: multipart/mixed; boundary="=_b"',
    '',
    '--=_b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is an aggregate report.',
    '--=_b',
    ...part,
    '--=_b--',
    '',
  ];
  return Buffer.from([...head, ...(alone ? part : multipart)].join('\r\n'));
}

/** The forms in which well-known receivers send their reports: the attachment, its encoding, and the subject. */
export const DMARC_SHAPES: Record<string, (report: SampleReport) => Buffer> = {
  'google.com': (report) => {
    const name = `google.com!${report.domain}!${report.begin}!${report.begin + 86_399}`;
    const content = zip(`${name}.xml`, Buffer.from(dmarcXml(report, { version: false })));
    return reportMail({ subject: subjectOf(report), type: 'application/zip', name: `${name}.zip`, content, alone: true });
  },
  'Enterprise Outlook': (report) =>
    reportMail({
      ...{ subject: `[Preview] ${subjectOf(report, 'enterprise.protection.outlook.com')}`, type: 'application/gzip' },
      name: `enterprise.protection.outlook.com!${report.domain}!${report.begin}!${report.begin + 86_400}.xml.gz`,
      content: gzipSync(
        dmarcXml(report, {
          ...{ declaration: '<?xml version="1.0"?>', withTo: true },
          root: ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
        }),
      ),
    }),
  Yahoo: (report) => gzipped(report, { declaration: '<?xml version="1.0"?>', version: false }),
  'FastMail Pty Ltd': (report) => gzipped(report, {}, `${report.begin}`),
  'Mail.Ru': (report) => gzipped(report, { declaration: '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' }),
  'comcast.net': (report) => gzipped(report, { capitals: true }),
  'AMAZON-SES': (report) =>
    reportMail({
      ...{
        subject: `Dmarc Aggregate Report Domain: {${report.domain}}  Submitter: {Amazon SES}`,
        type: 'application/octet-stream',
        alone: true,
      },
      ...{ name: `amazonses.com!${report.domain}!${report.begin}!${report.begin + 86_400}.xml.gz`, content: gzipSync(dmarcXml(report)) },
    }),
  // Line breaks after the archive, and the id in the name of the file.
  'mimecast.org': (report) =>
    reportMail({
      ...{ subject: subjectOf(report), type: 'application/gzip', alone: true },
      name: `mimecast.org!${report.domain}!${report.begin}!${report.begin + 86_399}!${report.id}.xml.gz`,
      content: Buffer.concat([gzipSync(dmarcXml(report)), Buffer.from('\r\n\r\n')]),
    }),
  // RFC 9990, with a prefix for its namespace, as plain XML and without a name of the usual form.
  'example-reporter.com': (report) =>
    reportMail({
      ...{ subject: subjectOf(report), type: 'text/xml', name: 'report.xml' },
      content: Buffer.from(`\ufeff${dmarcXml(report, { prefix: 'd:', root: ' xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"' })}`),
    }),
  // ZIP within gzip, as an intermediate filter may leave it.
  'gateway.example': (report) =>
    reportMail({
      ...{
        subject: 'FWD',
        type: 'application/octet-stream',
        name: `gateway.example!${report.domain}!${report.begin}!${report.begin + 9}.zip.gz`,
      },
      content: gzipSync(zip('a/report.XML', Buffer.from(dmarcXml(report)))),
    }),
};

export const TLS_SHAPES: Record<string, (report: SampleReport, json: string) => Buffer> = {
  'Google Inc.': (report, json) => tlsMail(report, 'application/tlsrpt+gzip', '001.json.gz', gzipSync(json)),
  'Microsoft Corporation': (report, json) => tlsMail(report, 'application/tlsrpt+gzip', '133.json.gz', gzipSync(json)),
  'Mail.ru': (report, json) => tlsMail(report, 'application/tlsrpt+json', 'a.json', Buffer.from(JSON.stringify(JSON.parse(json), null, 3))),
  Comcast: (report, json) => tlsMail(report, 'application/gzip', 'b.json.gz', gzipSync(json)),
};

const subjectOf = ({ domain, reporter, id }: SampleReport, submitter = reporter) =>
  `Report Domain: ${domain} Submitter: ${submitter} Report-ID: <${id}>`;

const gzipped = (report: SampleReport, spelling: Spelling, suffix = ''): Buffer =>
  reportMail({
    ...{ subject: subjectOf(report), type: 'application/gzip', content: gzipSync(dmarcXml(report, spelling)) },
    name: `${report.reporter.toLowerCase().replaceAll(' ', '')}!${report.domain}!${report.begin}!${report.begin + 86_399}${suffix === '' ? '' : `!${suffix}`}.xml.gz`,
  });

const tlsMail = (report: SampleReport, type: string, suffix: string, content: Buffer): Buffer =>
  reportMail({
    ...{ subject: subjectOf(report), type, content },
    name: `${report.reporter.toLowerCase().replaceAll(/[^a-z]/g, '')}.com!${report.domain}!${report.begin}!${report.begin + 86_399}!${suffix}`,
    headers: [
      'From: noreply-smtp-tls-reporting@google.com',
      `TLS-Report-Domain: ${report.domain}`,
      `TLS-Report-Submitter: ${report.reporter}`,
    ],
  });
