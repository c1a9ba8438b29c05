import { isDeepStrictEqual } from 'node:util';
import { mailboxOf } from './addresses.ts';
import { type Enrolment, type Life, liveSteps } from './life.ts';
import type { Standing } from './world.ts';

/** Throws for the first difference between the database and the model. */
export function compare(life: Life, standing: Standing, after: string): void {
  const differ = (what: string, model: unknown, database: unknown) => {
    if (!isDeepStrictEqual(model, database))
      throw new Error(`after ${after}, ${what}: the rules say ${JSON.stringify(model)}, the database has ${JSON.stringify(database)}`);
  };
  for (const { id, status, reason, email } of life.accounts) differ(`account ${email}`, { status, reason }, standing.accounts[id]);
  for (const [index, { id, status, isArchived }] of life.campaigns.entries())
    differ(`campaign ${index}`, { status, is_archived: isArchived }, standing.campaigns[id]);
  for (const enrolment of life.enrolments) {
    const stored = standing.enrolments[enrolment.id];
    const who = `${enrolment.contact.address} in campaign ${life.campaigns.indexOf(enrolment.campaign)}`;
    if (stored === undefined) throw new Error(`after ${after}: ${who} is not enrolled`);
    const { emails, events, campaign: _campaign, contact: _contact, ...position } = stored;
    differ(who, positionOf(enrolment, life.now), clamped(position, life.now));
    differ(`events of ${who}`, positive(enrolment.events), events);
    const states = Object.fromEntries([...enrolment.emails].map(([step, { state }]) => [step.id, state]));
    differ(`emails of ${who}`, states, Object.fromEntries(Object.entries(emails).map(([step, { state }]) => [step, state])));
  }
  const suppressed = Object.fromEntries([...life.suppressions].map(([address, { workspaceOnly }]) => [address, workspaceOnly]));
  const stored = Object.fromEntries(Object.entries(standing.suppressions).map(([address, only]) => [mailboxOf(address), only]));
  differ('suppressions', sorted(suppressed), sorted(stored));
}

type Position = Pick<Standing['enrolments'][number], 'status' | 'step' | 'due' | 'held'>;

/** Normalizes a position: the step of an ended enrolment is irrelevant, and an overdue one is due now. */
const clamped = ({ status, step, due, held }: Position, now: number): Position => ({
  status,
  step: status === 'active' ? step : 0,
  due: due === null ? null : Math.max(due, now),
  held,
});

function positionOf({ status, at, dueAt, heldUntil, campaign }: Enrolment, now: number): Position {
  const step = at === null ? 1 : liveSteps(campaign).indexOf(at) + 1;
  return clamped({ status, step, due: dueAt, held: heldUntil }, now);
}

const positive = (counts: Record<string, number>) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
const sorted = (record: Record<string, unknown>) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
