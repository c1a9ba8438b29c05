import type { Verdict } from '../support/ledger.ts';
import type { Rule } from './judgement.ts';

/** The parameters and the results of a run: the JSON report. */
export interface Report {
  seed: number;
  daemons: number;
  seconds: number;
  /** Faults by kind. */
  faults: Record<string, number>;
  kills: number;
  emails: { sent: number; unknown: number; unknown_that_arrived: number; doubled: number; lost: number };
  answers: number;
  opt_outs: number;
  /** Seconds from the end of a fault until everything works again, by kind. */
  recovery: Record<string, Percentiles>;
  /** Faults after which no recovery could be seen, because no email or poll followed. */
  unmeasured: string[];
  rules: Rule[];
  skipped: string[];
}

interface Percentiles {
  count: number;
  median: number;
  p99: number;
  longest: number;
}

export function percentiles(seconds: readonly number[]): Percentiles {
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { count: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) };
}

export const emailCounts = ({ sent, unknown, unknownArrived, doubled, lost }: Verdict): Report['emails'] => ({
  ...{ sent, unknown, unknown_that_arrived: unknownArrived },
  ...{ doubled: doubled.length, lost: lost.length },
});

export const isPassed = ({ rules }: Report): boolean => rules.every(({ violations }) => violations.length === 0);

/** Formats the report for people. */
export function summary(report: Report): string {
  const { emails } = report;
  const recovery = Object.entries(report.recovery).map(
    ([fault, { count, median, p99, longest }]) =>
      `  ${fault.padEnd(36)}${String(count).padStart(5)}${seconds(median)}${seconds(p99)}${seconds(longest)}`,
  );
  const rules = report.rules.map(({ rule, violations, cases }) =>
    violations.length === 0
      ? `  holds   ${rule} (${cases})`
      : `  BROKEN  ${rule} (${violations.length} of ${cases}): ${violations.slice(0, 5).join('; ')}`,
  );
  return [
    `seed ${report.seed}: ${report.kills} kills in ${Math.round(report.seconds)} s, ${report.daemons} daemons`,
    `${emails.sent} emails sent, ${emails.unknown} of unknown delivery (${emails.unknown_that_arrived} had arrived), ${emails.doubled} doubled, ${emails.lost} lost`,
    `${report.answers} answers, ${report.opt_outs} opt-outs`,
    ...report.skipped.map((reason) => `skipped: ${reason}`),
    '',
    `  ${'seconds until all works again'.padEnd(36)}${'times'.padStart(5)}${'median'.padStart(9)}${'p99'.padStart(9)}${'longest'.padStart(9)}`,
    ...recovery,
    '',
    ...rules,
  ].join('\n');
}

const seconds = (value: number): string => value.toFixed(1).padStart(9);
