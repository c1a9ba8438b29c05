import { quantity } from '../core/english.ts';
import type { Finding } from './finding.ts';

const ORDER: readonly Finding['result'][] = ['fail', 'warn', 'ok'];

/**
 * The findings as lines, problems first. A mailbox has one line, with what is wrong with it.
 * @param isAll a line for each check instead
 */
export function findingLines(findings: readonly Finding[], isAll: boolean): string[] {
  const shown = isAll ? findings : byAccount(findings);
  return ORDER.flatMap((result) => shown.filter((finding) => finding.result === result)).map(
    ({ check, result, message }) => `${result.padEnd(4)}  ${check}: ${message}`,
  );
}

function byAccount(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ account, check }) => account ?? check);
  return [...groups].flatMap(([check, group]) => (group[0]?.account == null ? group : [together(check, group)]));
}

function together(account: string, checks: readonly Finding[]): Finding {
  const problems = checks.filter(({ result }) => result !== 'ok');
  const result = ORDER.find((one) => checks.some((finding) => finding.result === one)) ?? 'ok';
  const sorted = problems.toSorted((one, other) => ORDER.indexOf(one.result) - ORDER.indexOf(other.result));
  const named = sorted.map(({ check, message }) => `${check.slice(account.length).trim()}: ${message}`.replace(/^: /, ''));
  const message = problems.length === 0 ? `all ${quantity(checks.length, 'check')} are good` : named.join(' | ');
  return { check: account, result, message, account };
}
