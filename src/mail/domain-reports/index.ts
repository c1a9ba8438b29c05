import PostalMime from 'postal-mime';
import { type DomainReport, ReportRefused } from './report.ts';

export type { DomainReport, ReportSource } from './report.ts';

/** `receiver!domain!begin!end[!id].xml.gz` (RFC 7489 §7.2.1.1, RFC 8460 §5.1). */
const FILE_NAME = /^[^!]+![^!]+!\d+!\d[^!]*\.(?:xml|json|zip|gz)$/i;
/** `Report Domain: … Submitter: … Report-ID: …` (RFC 7489 §7.2.1.1, RFC 8460 §5.3). Microsoft and Amazon put words before it. */
const SUBJECT = /\breport[ -]domain\s*:/i;
const PACKED = /\.(?:xml|json|zip|gz)$|^unnamed$/i;
/** Most attachments that are read. A report has one. */
const MAX_ATTACHMENTS = 5;
/** Most bytes of a message. `inbound/fetch.ts` fetches at most half of that. */
const MAX_MESSAGE = 2 * 1024 * 1024;
const MIME_LIMITS = { maxNestingDepth: 10, maxHeadersSize: 1024 * 1024 };

/** True for a message whose subject or file name identifies it as a report about a domain. */
export const looksLikeReport = (subject: string, files: readonly { name: string }[]): boolean =>
  files.some(({ name }) => FILE_NAME.test(name)) || (SUBJECT.test(subject) && files.some(({ name }) => PACKED.test(name)));

/**
 * Reads the report in a raw message (RFC 5322): DMARC as XML, TLS as JSON, each plain, in gzip or in ZIP.
 * @returns the report, or one line that says why there is none
 */
export async function readDomainReport(raw: Uint8Array): Promise<DomainReport | { refused: string }> {
  let refused = 'no file is attached';
  const { attachments, headers } = await PostalMime.parse(raw.subarray(0, MAX_MESSAGE), MIME_LIMITS);
  const tlsDomain = headers.find(({ key }) => key === 'tls-report-domain')?.value ?? '';
  const { unpack } = await import('./unpack.ts');
  for (const { content } of attachments.slice(0, MAX_ATTACHMENTS)) {
    if (typeof content === 'string') continue;
    try {
      return await read(await unpack(Buffer.from(new Uint8Array(content))), tlsDomain);
    } catch (error) {
      if (!(error instanceof ReportRefused)) throw error;
      refused = error.message;
    }
  }
  return { refused };
}

/** Reads an unpacked report. The parsers are loaded with the first report, because few reader processes ever see one. */
async function read(text: Buffer, tlsDomain: string): Promise<DomainReport> {
  const first = text
    .subarray(0, 100)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()[0];
  if (first === '{') return (await import('./tls-report.ts')).readTlsReport(text, tlsDomain);
  if (first === '<') return (await import('./dmarc-report.ts')).readDmarcReport(text);
  throw new ReportRefused('it is neither XML nor JSON');
}
