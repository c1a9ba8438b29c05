import { quantity } from '../core/english.ts';
import { type Fact, factsText } from '../terminal/facts.ts';
import { checkName } from '../terminal/health-text.ts';
import { type Screen, screenOf } from '../terminal/screen.ts';
import type { Finding } from './finding.ts';

const ORDER: readonly Finding['result'][] = ['fail', 'warn', 'ok'];

/** An entry of the list: one finding, or all findings of an account with its problems below. */
interface Shown extends Pick<Finding, 'check' | 'result' | 'message'> {
  problems: Fact[];
}

/**
 * Returns the findings as lines, problems first, and their totals. An account has one line, with its problems below.
 * @param isAll true for one line per check
 */
export function findingLines(findings: readonly Finding[], isAll: boolean, screen: Pick<Screen, 'width'> = screenOf()): string[] {
  const shown = isAll ? findings.map(singleLine) : byAccount(findings);
  const lines = ORDER.flatMap((result) => shown.filter((finding) => finding.result === result)).flatMap(
    ({ check, result, message, problems }) => [
      `${result.padEnd(4)}  ${check}: ${message}`,
      ...(problems.length === 0 ? [] : factsText(problems, screen).split('\n')),
    ],
  );
  return [...lines, totals(findings, isAll)];
}

const singleLine = (finding: Finding): Shown => {
  const { account, check } = finding;
  return { ...finding, check: account == null ? check : `${account} ${ofAccount(check, account)}`.trim(), problems: [] };
};

/** Returns the name of an account's check in words, without the account that it begins with. */
const ofAccount = (check: string, account: string): string => checkName(check.slice(account.length).trim());

function byAccount(findings: readonly Finding[]): Shown[] {
  const groups = Map.groupBy(findings, ({ account, check }) => account ?? check);
  return [...groups].flatMap(([check, group]) => (group[0]?.account == null ? group.map(singleLine) : [accountLine(check, group)]));
}

function accountLine(account: string, checks: readonly Finding[]): Shown {
  const found = checks
    .filter(({ result }) => result !== 'ok')
    .toSorted((one, other) => ORDER.indexOf(one.result) - ORDER.indexOf(other.result));
  const problems = found.map(({ check, message }): Fact => [`      ${ofAccount(check, account) || 'state'}`, message]);
  const message = found.length === 0 ? `all ${quantity(checks.length, 'check')} are good` : quantity(found.length, 'problem');
  return { check: account, result: ORDER.find((one) => checks.some(({ result }) => result === one)) ?? 'ok', message, problems };
}

function totals(findings: readonly Finding[], isAll: boolean): string {
  const [failed = 0, warned = 0, good = 0] = ORDER.map((result) => findings.filter((finding) => finding.result === result).length);
  const bad = [...(failed > 0 ? [`${failed} failed`] : []), ...(warned > 0 ? [quantity(warned, 'warning')] : [])];
  return `${quantity(findings.length, 'check')}: ${[...bad, `${good} good`].join(', ')}.${isAll ? '' : ' --all shows each.'}`;
}
