import { quantity } from '../core/english.ts';
import { type Fact, factsText } from '../terminal/facts.ts';
import { checkName } from '../terminal/health-text.ts';
import { type Screen, screenOf } from '../terminal/screen.ts';
import type { Finding } from './finding.ts';

const ORDER: readonly Finding['result'][] = ['fail', 'warn', 'ok'];

/** A finding as it is shown: of a mailbox all, with what is wrong with it below. */
interface Shown extends Pick<Finding, 'check' | 'result' | 'message'> {
  problems: Fact[];
}

/**
 * The findings as lines, problems first, and how many there are. A mailbox is named once, with what is wrong with it below.
 * @param isAll a line for each check instead
 */
export function findingLines(findings: readonly Finding[], isAll: boolean, screen: Pick<Screen, 'width'> = screenOf()): string[] {
  const shown = isAll ? findings.map(alone) : byAccount(findings);
  const lines = ORDER.flatMap((result) => shown.filter((finding) => finding.result === result)).flatMap(
    ({ check, result, message, problems }) => [
      `${result.padEnd(4)}  ${check}: ${message}`,
      ...(problems.length === 0 ? [] : factsText(problems, screen).split('\n')),
    ],
  );
  return [...lines, totals(findings, isAll)];
}

const alone = (finding: Finding): Shown => {
  const { account, check } = finding;
  return { ...finding, check: account == null ? check : `${account} ${ofMailbox(check, account)}`.trim(), problems: [] };
};

/** The name in words of a check of a mailbox, which begins with that of its account. */
const ofMailbox = (check: string, account: string): string => checkName(check.slice(account.length).trim());

function byAccount(findings: readonly Finding[]): Shown[] {
  const groups = Map.groupBy(findings, ({ account, check }) => account ?? check);
  return [...groups].flatMap(([check, group]) => (group[0]?.account == null ? group.map(alone) : [together(check, group)]));
}

function together(account: string, checks: readonly Finding[]): Shown {
  const found = checks
    .filter(({ result }) => result !== 'ok')
    .toSorted((one, other) => ORDER.indexOf(one.result) - ORDER.indexOf(other.result));
  const problems = found.map(({ check, message }): Fact => [`      ${ofMailbox(check, account) || 'state'}`, message]);
  const message = found.length === 0 ? `all ${quantity(checks.length, 'check')} are good` : quantity(found.length, 'problem');
  return { check: account, result: ORDER.find((one) => checks.some(({ result }) => result === one)) ?? 'ok', message, problems };
}

function totals(findings: readonly Finding[], isAll: boolean): string {
  const [failed = 0, warned = 0, good = 0] = ORDER.map((result) => findings.filter((finding) => finding.result === result).length);
  const bad = [...(failed > 0 ? [`${failed} failed`] : []), ...(warned > 0 ? [quantity(warned, 'warning')] : [])];
  return `${quantity(findings.length, 'check')}: ${[...bad, `${good} good`].join(', ')}.${isAll ? '' : ' --all shows each.'}`;
}
