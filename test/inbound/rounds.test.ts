import { afterEach, expect, it } from 'vitest';
import type { ClaimedPoll } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { MailboxRounds } from '../../src/inbound/index.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Mailboxes that are due, by account, and what becomes of them. */
class Mailboxes {
  readonly due: number[];
  readonly read: number[] = [];
  readonly claims: number[] = [];
  failures = 0;
  readonly #held = new Map<number, () => void>();

  constructor(count: number) {
    this.due = Array.from({ length: count }, (_, index) => index);
  }

  async claimDue(limit: number): Promise<ClaimedPoll[]> {
    if (this.failures-- > 0) throw new Error('the database is away');
    this.claims.push(limit);
    return this.due.splice(0, limit).map((accountId) => ({ accountId }) as ClaimedPoll);
  }

  /** The servers of the first accounts are silent until they are let go. */
  silent = 0;

  async pollOf({ accountId }: ClaimedPoll): Promise<null> {
    if (accountId < this.silent) await new Promise<void>((resolve) => this.#held.set(accountId, resolve));
    this.read.push(accountId);
    return null;
  }

  letGo(): void {
    for (const resume of this.#held.values()) resume();
  }
}

const app = { config: { tickSeconds: 5 }, log: { warn: () => undefined, error: () => undefined } } as unknown as App;
let rounds: MailboxRounds;
let mailboxes: Mailboxes;

function start(count: number, { silent = 0, failures = 0 } = {}): void {
  mailboxes = Object.assign(new Mailboxes(count), { silent, failures });
  const poller = { claimDue: (limit: number) => mailboxes.claimDue(limit), read: (poll: ClaimedPoll) => mailboxes.pollOf(poll) };
  rounds = new MailboxRounds(app, poller, { period: 10, retry: 10 });
  rounds.start();
}
afterEach(async () => {
  mailboxes.letGo();
  await rounds.stop();
});

it('mailboxes that are due are claimed in groups, and all of them are read', async () => {
  start(1_000);
  await waitUntil('all are read', () => mailboxes.read.length === 1_000);
  expect(mailboxes.claims.length).toBeLessThan(40);
});

it('ninety mailboxes whose servers are silent hold up no other', async () => {
  start(300, { silent: 90 });
  await waitUntil('the others are read', () => mailboxes.read.length === 210);
});

it('no more are claimed than there are places for', async () => {
  start(300, { silent: 300 });
  await waitUntil('all places are taken', () => mailboxes.due.length === 200);
  const { length } = mailboxes.claims;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([mailboxes.claims.length, mailboxes.due.length]).toEqual([length, 200]);
});

it('after a failure of the database it is asked again', async () => {
  start(10, { failures: 2 });
  await waitUntil('all are read', () => mailboxes.read.length === 10);
});

it('stop waits for polls under way and claims no more', async () => {
  start(300, { silent: 300 });
  await waitUntil('all places are taken', () => mailboxes.due.length === 200);
  let isStopped = false;
  const stopping = rounds.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  mailboxes.letGo();
  await stopping;
  expect([mailboxes.read.length, mailboxes.due.length]).toEqual([100, 200]);
});
