import { type Caller, recipient } from '../access/index.ts';
import type { App } from '../app.ts';
import type { Tx } from '../db/transaction.ts';
import { learnProviderId } from '../outbox/index.ts';
import type { Arrival } from './arrival.ts';
import { askPerson } from './ask-person.ts';
import { Change } from './change.ts';
import { effectOf, type Facts, isFormerAddress } from './effect.ts';
import { providerIdIn } from './evidence.ts';

/** Applies the effect of a message to the enrolment that it is about, in the transaction that records the message. */
export async function actOn(tx: Tx, app: App, arrival: Arrival): Promise<void> {
  const { reading, match } = arrival;
  const providerId = providerIdIn(reading.result, match, match.writer);
  if (providerId !== null) await learnProviderId(tx, match.email.outboxId, providerId);
  await new Change(tx, app, arrival, effectOf(factsOf(arrival)), recipient(match.email.workspaceId, null)).apply();
  await askPerson(tx, app, arrival);
}

/** Applies the effect of a reply as `caller` has corrected it, as of the time when it came in. @param isLogged false if its events are recorded already */
export async function redo(tx: Tx, app: App, arrival: Arrival, caller: Caller, cameAt: Date, isLogged: boolean): Promise<void> {
  const effect = effectOf(factsOf(arrival));
  const silent = { ...effect, events: [], author: effect.author && [] };
  await new Change(tx, app, arrival, isLogged ? effect : silent, caller, cameAt).apply();
  await askPerson(tx, app, arrival);
}

const factsOf = ({ reading: { result }, match: { proof, writer, email } }: Arrival): Facts => ({
  ...result,
  ...{ proof, writer, isFormerAddress: isFormerAddress(email) },
  ...{ isTracked: email.isTracked, isAnswer: email.isAnswer, whenColleagueReplies: email.whenColleagueReplies },
});
