import type { Placement, PlacementTest } from '../accounts/index.ts';
import { DAY } from '../core/clock.ts';
import { quantity } from '../core/english.ts';
import { parseTimestamp } from '../core/timestamp-text.ts';
import { type Check, good, stop, unknown, watch } from './check.ts';

/** Fewer emails say little about a provider. */
const MIN_EMAILS = 3;
/** Share of emails outside the inbox at which to stop sending. */
const STOP = 0.5;

/**
 * Returns the emails of tests since an instant whose place is known. Leaves out emails that are missing because a mailbox could not be
 * read.
 */
const settledSince = (tests: readonly PlacementTest[], since: number): Placement[] =>
  tests
    .filter(({ sent_at }) => parseTimestamp(sent_at).getTime() > since)
    .flatMap(({ results }) => results.filter(({ place, problem }) => place !== 'waiting' && (place !== 'missing' || problem === null)));

const isInInbox = ({ place }: Placement): boolean => place === 'inbox' || place === 'promotions';

/** Judges where the emails of placement tests arrived in the last 7 and 30 days. */
export function checkPlacement(email: string, tests: readonly PlacementTest[], now: Date): Check {
  const [week, month] = [7, 30].map((days) => settledSince(tests, now.getTime() - days * DAY)) as [Placement[], Placement[]];
  if (month.length === 0)
    return unknown('placement', 'not tested in 30 days', `test it with: outreach account placement --from ${email} --to ACCOUNT`);
  const astray = month.filter((result) => !isInInbox(result));
  const share = (results: readonly Placement[]) =>
    results.length === 0 ? 'no test' : `${results.filter(isInInbox).length} of ${quantity(results.length, 'email')} in the inbox`;
  const where = [...new Set(astray.map(({ place, email: to }) => `${place} at ${to}`))].slice(0, 5);
  const detail = `7 days: ${share(week)}; 30 days: ${share(month)}${where.length === 0 ? '' : `: ${where.join(', ')}`}`;
  if (astray.length === 0) return good('placement', detail);
  const remedy =
    'fix what else is wrong here, shorten the email, leave out links and pictures, and send less until the next test is better';
  return month.length >= MIN_EMAILS && astray.length / month.length >= STOP
    ? stop('placement', detail, remedy)
    : watch('placement', detail, remedy);
}
