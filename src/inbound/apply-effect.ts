import { type Caller, recipient } from '../access/index.ts';
import type { App } from '../app.ts';
import { holdForRemoval } from '../campaigns/index.ts';
import type { Tx } from '../db/transaction.ts';
import { learnProviderId } from '../outbox/index.ts';
import { Change } from './change.ts';
import { effectOf, type Facts, isFormerAddress } from './effect.ts';
import { providerIdIn } from './evidence.ts';
import type { Arrival } from './match.ts';

/** Applies the effect of a message to the enrolment it is about, in the transaction that records the message. */
export async function applyEffect(tx: Tx, app: App, arrival: Arrival): Promise<void> {
  const { reading, match } = arrival;
  const providerId = providerIdIn(reading.result, match, match.writer);
  if (providerId !== null) await learnProviderId(tx, match.email.outboxId, providerId);
  await new Change(tx, app, arrival, effectOf(factsOf(arrival)), recipient(match.email.workspaceId, null)).apply();
  await holdIfUndecided(tx, app, arrival);
}

/**
 * Applies the effect of a stored reply again, after `caller` has corrected that reply or an earlier one.
 * @param receivedAt the time as of which the effect is applied
 * @param addsEvents false if its events are already recorded
 */
export async function reapplyEffect(
  tx: Tx,
  app: App,
  arrival: Arrival,
  caller: Caller,
  receivedAt: Date,
  addsEvents: boolean,
): Promise<void> {
  const effect = effectOf(factsOf(arrival));
  const silent = { ...effect, events: [], author: effect.author && [] };
  await new Change(tx, app, arrival, addsEvents ? effect : silent, caller, receivedAt).apply();
  await holdIfUndecided(tx, app, arrival);
}

/**
 * Holds the contact until a user decides if a reply is an unsubscribe request. Call it after the effect, so that subsequences started by
 * the effect are held too. Ignores replies from people who got a copy, because they say nothing about the contact.
 */
async function holdIfUndecided(tx: Tx, app: App, { reading, match, replyId }: Arrival): Promise<void> {
  if (!reading.result.mayAskToBeRemoved || replyId === null || match.writer === 'copied') return;
  await holdForRemoval(tx, app, match.email.enrolmentId, replyId);
}

const factsOf = ({ reading: { result }, match: { proof, writer, email } }: Arrival): Facts => ({
  ...result,
  ...{ proof, writer, isFormerAddress: isFormerAddress(email) },
  ...{ isTracked: email.isTracked, isAnswer: email.isAnswer, whenColleagueReplies: email.whenColleagueReplies },
});
