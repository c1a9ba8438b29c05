import { oneLine } from '../../core/errors.ts';

/**
 * A receiver's report about a domain, sent about once a day: who sent in the name of the domain and whether that passed DMARC (RFC 7489
 * §7.2), or which failures servers had when they delivered to it over TLS (RFC 8460). It is untrusted: anybody can send one.
 */
export interface DomainReport {
  kind: 'dmarc' | 'tls';
  /** In lower case. */
  domain: string;
  /** The reporting organization, and its id for the report. */
  reporter: string;
  reportId: string;
  /** First day of the reported period, UTC, `YYYY-MM-DD`. */
  day: string;
  /** Sources with the most failures first; at most MAX_SOURCES. */
  sources: ReportSource[];
  /** DNS names of the DKIM keys that signed emails which passed, such as `s1._domainkey.example.com`. */
  keys: string[];
}

/** One source of emails, or one outcome of TLS sessions. */
export interface ReportSource {
  /** An IP address; in a TLS report the type of the failure (RFC 8460 §4.3), or `none`. */
  source: string;
  /** Another domain that signed or sent the emails; null if there is none. */
  by: string | null;
  /** Emails or sessions. */
  passed: number;
  failed: number;
}

/** Thrown for a report that is malformed or too large. */
export class ReportRefused extends Error {
  override readonly name = 'ReportRefused';
}

const MAX_SOURCES = 200;
const MAX_NAME = 200;
const MAX_COUNT = 1_000_000_000;
const DOMAIN = /^(?=.{3,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62}\.)+[a-z0-9-]{2,63}$/;

/** Returns a domain in lower case; null if the text is not a domain. */
export function domainIn(text: string): string | null {
  const domain = text.trim().toLowerCase().replace(/\.$/, '');
  return DOMAIN.test(domain) ? domain : null;
}

/** Checks the heading of a report. @throws ReportRefused */
export function headingOf(
  domain: string,
  reporter: string,
  reportId: string,
  begin: Date,
): Omit<DomainReport, 'kind' | 'sources' | 'keys'> {
  const named = domainIn(domain);
  if (named === null) throw new ReportRefused('it names no domain');
  const id = oneLine(reportId).slice(0, MAX_NAME);
  if (id === '') throw new ReportRefused('it has no id');
  if (Number.isNaN(begin.getTime())) throw new ReportRefused('it has no date');
  return { domain: named, reporter: oneLine(reporter).slice(0, MAX_NAME), reportId: id, day: begin.toISOString().slice(0, 10) };
}

/** Adds up the counts of each source in a report. */
export class Sources {
  readonly #all = new Map<string, ReportSource>();

  add({ source, by, passed, failed }: ReportSource): void {
    const known = this.#all.get(source);
    if (known === undefined) this.#all.set(source, { source, by, passed, failed });
    else {
      known.passed = Math.min(MAX_COUNT, known.passed + passed);
      known.failed = Math.min(MAX_COUNT, known.failed + failed);
      known.by ??= by;
    }
  }

  list(): ReportSource[] {
    return [...this.#all.values()].toSorted((a, b) => b.failed - a.failed || b.passed - a.passed).slice(0, MAX_SOURCES);
  }
}

/** Parses a count of a report; null for anything but a whole number up to a billion. */
export function countIn(text: string): number | null {
  const count = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : Number.NaN;
  return count <= MAX_COUNT ? count : null;
}
