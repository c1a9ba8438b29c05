import { z } from 'zod';
import { messageOf } from '../../core/errors.ts';
import { countIn, type DomainReport, domainIn, headingOf, ReportRefused, Sources } from './report.ts';

const count = z
  .union([z.number(), z.string()])
  .transform((value) => countIn(String(value)) ?? 0)
  .catch(0);
const failure = z.object({ 'result-type': z.string().max(100), 'failed-session-count': count });
const policy = z.object({
  policy: z.object({ 'policy-domain': z.string().nullish() }),
  summary: z.object({ 'total-successful-session-count': count, 'total-failure-session-count': count }),
  'failure-details': z.array(failure).nullish(),
});
const reportSchema = z.object({
  'organization-name': z.string().default(''),
  'date-range': z.object({ 'start-datetime': z.string() }),
  'report-id': z.string(),
  policies: z.array(policy),
});

/**
 * Reads a report about TLS (RFC 8460 §4.4). A report is about one domain, even if it has several policies.
 * @param about the domain in the header of the message (RFC 8460 §5.3), or ''. It takes precedence, because a DANE policy names the mail
 *   server (§1.1), and some receivers name no domain if they found no policy. Without it, the first domain named by a policy counts.
 * @throws ReportRefused
 */
export function readTlsReport(json: Uint8Array, about: string): DomainReport {
  const report = parsed(json);
  const named = domainIn(about);
  const domains = report.policies.map(({ policy }) => domainIn(policy['policy-domain'] ?? ''));
  const domain = named ?? domains.find((each) => each !== null) ?? null;
  const isAbout = (index: number) => named !== null || domains[index] === null || domains[index] === domain;
  const heading = headingOf(
    domain ?? '',
    report['organization-name'],
    report['report-id'],
    new Date(report['date-range']['start-datetime']),
  );
  const sources = new Sources();
  for (const { summary, 'failure-details': failures } of report.policies.filter((_, index) => isAbout(index))) {
    sources.add({ source: 'none', by: null, passed: summary['total-successful-session-count'], failed: 0 });
    const details = failures?.length
      ? failures
      : [{ 'result-type': 'unspecified', 'failed-session-count': summary['total-failure-session-count'] }];
    for (const { 'result-type': type, 'failed-session-count': failed } of details)
      sources.add({ source: REASON.test(type) ? type : 'unspecified', by: null, passed: 0, failed });
  }
  const counted = sources.list().filter(({ passed, failed }) => passed + failed > 0);
  return { kind: 'tls', ...heading, sources: counted, keys: [] };
}

const REASON = /^[a-z][a-z-]{2,60}$/;

function parsed(json: Uint8Array): z.infer<typeof reportSchema> {
  try {
    return reportSchema.parse(JSON.parse(new TextDecoder().decode(json)));
  } catch (error) {
    const reason = error instanceof z.ZodError ? `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}` : messageOf(error);
    throw new ReportRefused(`it is not a TLS report (${reason})`);
  }
}
