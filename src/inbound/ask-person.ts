import type { App } from '../app.ts';
import { holdForRemoval } from '../campaigns/index.ts';
import type { Tx } from '../db/transaction.ts';
import type { Match, Reading } from './match.ts';

/** A message whose effect has been applied, the subsequences that it starts included. */
interface Answer {
  reading: { result: Pick<Reading['result'], 'mayAskToBeRemoved'> };
  match: Match;
  replyId: number | null;
}

/** Holds the contact until a person decides whether a reply asks to be removed. Who gets a copy says nothing about the contact. */
export async function askPerson(tx: Tx, app: App, { reading, match, replyId }: Answer): Promise<void> {
  if (!reading.result.mayAskToBeRemoved || replyId === null || match.writer === 'copied') return;
  await holdForRemoval(tx, app, match.email.enrolmentId, replyId);
}
