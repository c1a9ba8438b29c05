import { grouped, quantity } from '../core/english.ts';
import { percent } from '../core/share-text.ts';
import { type Check, good, unknown, watch } from './check.ts';
import { REPORT_DAYS, type ReportSum } from './domain-reports.ts';

/** Fewer emails or sessions don't show a pattern. */
const MIN_COUNT = 10;
/** Shares of failures to watch. Some emails always fail because of lists and forwarding, but hardly any sessions do. */
const WATCH_SHARES = { emails: 0.05, sessions: 0.01 };

const reported = ({ reporters }: ReportSum): string => `${REPORT_DAYS} days, ${quantity(reporters, 'receiver')}`;

/**
 * Judges the reports about emails in the name of a domain: who sends them, and which fail DMARC.
 * @param sum null if there are no reports
 */
export function checkDmarcReports(domain: string, sum: ReportSum | null): Check {
  if (sum === null)
    return unknown(
      'dmarc_reports',
      `no report arrived in ${REPORT_DAYS} days; the DMARC record requests them with rua=mailto:ADDRESS, the address of a mailbox that is connected here`,
    );
  const { passed, failed, failures } = sum;
  const all = passed + failed;
  if (failed === 0) return good('dmarc_reports', `${reported(sum)}: all ${quantity(all, 'email')} in the name of ${domain} pass`);
  const sources = failures.map(({ source, by, failed: count }) => `${source}${by === null ? '' : ` (${by})`} ${grouped(count)}`);
  const detail = `${reported(sum)}: ${grouped(failed)} of ${quantity(all, 'email')} in the name of ${domain} fail (${percent(failed / all)}), from ${sources.join(', ')}`;
  if (all < MIN_COUNT || failed / all < WATCH_SHARES.emails) return good('dmarc_reports', detail);
  return watch(
    'dmarc_reports',
    detail,
    `have the services that are yours sign with ${domain}, or add them to SPF; against the others, raise the policy step by step: p=quarantine, then p=reject`,
  );
}

/** Judges the reports about TLS connections to the mail server of the domain. */
export function checkTlsReports(sum: ReportSum): Check {
  const { passed, failed, failures } = sum;
  const all = passed + failed;
  if (failed === 0) return good('tls_reports', `${reported(sum)}: all ${quantity(all, 'session')} were encrypted`);
  const reasons = failures.map(({ source, failed: count }) => `${source} ${grouped(count)}`);
  const detail = `${reported(sum)}: ${grouped(failed)} of ${quantity(all, 'session')} failed (${percent(failed / all)}): ${reasons.join(', ')}`;
  if (all < MIN_COUNT || failed / all < WATCH_SHARES.sessions) return good('tls_reports', detail);
  return watch(
    'tls_reports',
    detail,
    "fix the certificate or the MTA-STS or DANE records of the mail server in MX: senders that require TLS can't deliver replies",
  );
}
