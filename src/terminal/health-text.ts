import type { Client as Api } from '../client/create-client.ts';
import { type Fact, factsText } from './facts.ts';
import { localText } from './local-text.ts';
import { type Screen, screenOf } from './screen.ts';

/** The health of an account as the API returns it. */
export type Health = Awaited<ReturnType<Api['accountHealth']['get']['query']>>;

/** True for a check that somebody has to act on. */
export const isProblem = ({ state }: Health['checks'][number]): boolean => state === 'stop' || state === 'watch';

/** Returns the name of a check in words: `block lists`, `DMARC reports`. */
export const checkName = (check: string): string =>
  check.replaceAll('_', ' ').replace(/^(?:mx|spf|dkim|dmarc|ptr|tls)\b/, (name) => name.toUpperCase());

/**
 * Formats the checks of an account. A problem also shows since when it exists, why it matters and what to do.
 * @param timezone of the times
 */
export function checksText({ checks }: Pick<Health, 'checks'>, timezone: string, screen: Pick<Screen, 'width'> = screenOf()): string {
  const facts = checks.flatMap((check): Fact[] => [
    [`${check.state.padEnd(7)}  ${checkName(check.check)}`, check.detail],
    ...(isProblem(check) ? whyAndHow(check, timezone) : []),
  ]);
  return factsText(facts, screen);
}

const whyAndHow = ({ since, why, remedy }: Health['checks'][number], timezone: string): Fact[] => [
  ['', `Since ${localText(since, timezone)}. ${why}`],
  ['', `To fix it: ${remedy}.`],
];
