import { oneLine } from '../../core/errors.ts';

/**
 * A receiver's report about a domain, once a day or so: who sent in its name and whether that passed DMARC (RFC 7489 §7.2), or with which
 * failures servers delivered to it over TLS (RFC 8460). Strangers wrote it, and anybody can write one.
 */
export interface DomainReport {
  kind: 'dmarc' | 'tls';
  /** In lower case. */
  domain: string;
  /** The organization that reports, and its id of the report. */
  reporter: string;
  reportId: string;
  /** Day on which the reported time begins, UTC, `YYYY-MM-DD`. */
  day: string;
  /** Those with the most failures first; at most MAX_SOURCES. */
  sources: ReportSource[];
  /** Places of the DKIM keys in DNS that signed emails which passed, such as `s1._domainkey.example.com`. */
  keys: string[];
}

/** One source of emails, or one outcome of TLS sessions. */
export interface ReportSource {
  /** IP address; of a TLS report the type of the failure (RFC 8460 §4.3), or `none`. */
  source: string;
  /** Another domain that signed or sent the emails; null if there is none. */
  by: string | null;
  /** Emails or sessions. */
  passed: number;
  failed: number;
}

/** A report that is malformed, or larger than a report may be. */
export class ReportRefused extends Error {
  override readonly name = 'ReportRefused';
}

const MAX_SOURCES = 200;
const MAX_NAME = 200;
const MAX_COUNT = 1_000_000_000;
const DOMAIN = /^(?=.{3,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62}\.)+[a-z0-9-]{2,63}$/;

/** A domain in lower case; null for anything else. */
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

/** Adds up what a report says of each source. */
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

/** A count of a report; null for anything but a whole number up to a thousand million. */
export function countIn(text: string): number | null {
  const count = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : Number.NaN;
  return count <= MAX_COUNT ? count : null;
}
