import { closeCall, openDueCalls } from '../../../src/campaigns/index.ts';
import { DAY, HOUR, MINUTE } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { wasAnswered } from '../../../src/inbound/index.ts';
import { claimEmails } from '../../../src/sending/email/claim.ts';
import { permitEmails } from '../../../src/sending/email/permit.ts';
import { planBatch, recoverOutbox, resolveOutbox, resumeLimitedAccounts } from '../../../src/sending/index.ts';
import { loadSendingAccount } from '../../../src/sending/state/account-state.ts';
import { loadCampaignStates } from '../../../src/sending/state/campaign-states.ts';
import { wasFetched } from '../../../src/tracking/index.ts';
import { isOneMailbox, keyOf } from './addresses.ts';
import type { Account, Email, Enrolment, Life } from './life.ts';
import { resolve } from './life-changes.ts';
import { claim, claimable, putBack, recover, startTick, submit } from './life-sending.ts';
import type { Move, Seen } from './moves.ts';
import type { Treatment } from './wire.ts';
import { SUBJECTS, type World } from './world.ts';

/** Moves of the clock and of the daemon. */

/** More than the interval between two batches. */
const TURN = 11 * MINUTE;

export const wait = (hours: number): Move => ({
  name: `wait ${hours} h`,
  inWorld: async (world) => world.clock.advance(hours * HOUR),
  inLife: () => undefined,
});

/** Waits until the windows are open: until the morning of the next working day, unless they are. */
export const waitForWindow = (): Move => ({
  name: 'wait for the windows',
  async inWorld(world) {
    const at = new Date(world.clock.now().getTime() + TURN);
    if (at.getUTCHours() >= 16) at.setTime(at.getTime() + DAY);
    if (at.getUTCHours() < 9 || at.getUTCHours() >= 16) at.setUTCHours(9, 0, 0, 0);
    while ([0, 6].includes(at.getUTCDay())) at.setTime(at.getTime() + DAY);
    world.clock.set(at);
  },
  inLife: () => undefined,
});

/** A turn of the daemon: limits that end, due calls, a batch of each account. `treatment` applies to `only`, or to all. */
export const batch = (treatment: Treatment, only: number | null): Move => ({
  name: `batch${treatment === 'take' ? '' : `, ${treatment} for ${only === null ? 'all' : `contact ${only}`}`}`,
  // If the mailboxes can't be polled, the order of a batch would decide which contact is retried when.
  isPossible: (life) => !ENDS_BATCH.includes(treatment) || life.isMailboxRead,
  async inWorld(world, life) {
    world.clock.advance(TURN);
    world.named = [];
    const address = only === null ? null : (life.contacts[only]?.address ?? '');
    world.copies.clear();
    world.treatment = (to) => (address === null || isOneMailbox(to, address) ? treatment : 'take');
    await resumeLimitedAccounts(world.app);
    await openDueCalls(world.app);
    for (const id of world.ids.accounts) await world.batches.run(id);
  },
  inLife(life, seen) {
    startTick(life);
    const isBossSuppressed = life.isSuppressed(seen.world.boss);
    for (const account of life.accounts) runBatch(life, account, treatment, only, seen);
    checkCopies(life, seen.world, isBossSuppressed);
  },
});

/** Treatments that end the batch with the first email that meets them. */
const ENDS_BATCH: readonly Treatment[] = ['limit', 'drop', 'lose'];

function runBatch(life: Life, account: Account, treatment: Treatment, only: number | null, seen: Seen): void {
  const due = claimable(life, account);
  if (treatment === 'limit') {
    endBatch(life, account, due, seen);
    return;
  }
  const isMeant = ({ contact: { address } }: Enrolment) => only === null || isOneMailbox(life.contacts[only]?.address ?? '', address);
  if (treatment === 'drop' || treatment === 'lose') {
    cutBatch(life, account, due, seen, (enrolment) => (isMeant(enrolment) ? treatment : 'take'));
    return;
  }
  // The first of two emails to one address that bounces ends the other, and the rules don't say which is first.
  const bouncedFirst = due.toSorted((a, b) => Number(seen.stateOf(b) === 'failed') - Number(seen.stateOf(a) === 'failed'));
  for (const enrolment of bouncedFirst) {
    // The bounce of another email may have ended it, before it was claimed or after.
    if (enrolment.status !== 'active') {
      if (seen.stateOf(enrolment) === 'retry') claim(life, enrolment, account, seen.emailOf).state = 'retry';
      continue;
    }
    submit(life, claim(life, enrolment, account, seen.emailOf), isMeant(enrolment) ? treatment : 'take');
  }
}

/**
 * The delivery of the first email whose connection is cut after the message is unknown, and the batch ends. The rules don't define the
 * order: the emails behind it are unchanged, claimed or not.
 */
function cutBatch(
  life: Life,
  account: Account,
  due: readonly Enrolment[],
  seen: Seen,
  treatmentOf: (enrolment: Enrolment) => Treatment,
): void {
  const claimed = due.filter((enrolment) => seen.stateOf(enrolment) !== undefined);
  // Accepted emails came before the cut.
  const inOrder = claimed.toSorted((a, b) => Number(seen.stateOf(a) === 'uncertain') - Number(seen.stateOf(b) === 'uncertain'));
  for (const enrolment of inOrder) {
    const isTried = seen.stateOf(enrolment) !== 'retry';
    const email = claim(life, enrolment, account, seen.emailOf);
    if (isTried) submit(life, email, treatmentOf(enrolment));
    else if (seen.isActive(enrolment)) putBack(life, email);
    else stopFirst(life, email);
  }
}

/**
 * Each email of the batch that arrived has a copy if its campaign wants one, and otherwise none; a suppressed recipient gets none (D2.7).
 */
function checkCopies(life: Life, { copies }: World, isBossSuppressed: boolean): void {
  for (const email of life.emails.filter(({ acceptedAt }) => acceptedAt === life.now)) {
    const messageId = copies.get(email.messageId);
    const { copiesTo } = email.enrolment.campaign;
    if ((messageId !== undefined) !== (copiesTo !== null && !isBossSuppressed))
      throw new Error(`${email.messageId} has ${messageId === undefined ? 'no' : 'a'} copy`);
    if (messageId !== undefined && copiesTo !== null) email.copy = { address: copiesTo, messageId };
  }
}

/**
 * Only the first contact who is named to the server and may be emailed meets the limit. The rules don't define the order: the others are
 * unchanged, claimed or not.
 */
function endBatch(life: Life, account: Account, due: readonly Enrolment[], seen: Seen): void {
  const isFirst = ({ contact: { address } }: Enrolment) => seen.world.named.includes(keyOf(address)) && !life.isSuppressed(address);
  const first = due.find((enrolment) => isFirst(enrolment) && seen.stateOf(enrolment) !== undefined);
  const others = due.filter((enrolment) => enrolment !== first && seen.stateOf(enrolment) !== undefined);
  for (const enrolment of others) {
    const email = claim(life, enrolment, account, seen.emailOf);
    if (seen.isActive(enrolment)) putBack(life, email);
    else stopFirst(life, email);
  }
  if (first !== undefined) submit(life, claim(life, first, account, seen.emailOf), 'limit');
}

/** A suppressed contact who comes before the limit is stopped, which may complete a campaign that the limit then no longer pauses (G2). */
function stopFirst(life: Life, email: Email): void {
  submit(life, email, 'take');
  life.completeFinished();
}

const subjectOf = ({ ids }: World, { campaign_id: id }: { campaign_id: number }) => SUBJECTS[ids.campaigns.indexOf(id)] ?? '';

export type Death = 'claimed' | 'permitted' | 'delivered';

/** A daemon that dies in a batch: before the permit of an email, after it, or when the server already has the email. */
export const crash = (which: number, death: Death): Move => ({
  name: `crash of account ${which}, ${death}`,
  isPossible: (life) => life.isMailboxRead && claimable(life, life.accounts[which] as Life['accounts'][number]).length > 0,
  async inWorld(world) {
    const { app } = world;
    world.dead = null;
    const account = await loadSendingAccount(app, world.ids.accounts[which] as number);
    if (account === null) return;
    const states = await loadCampaignStates(app.db, account.id, app.clock.now(), 100);
    const plan = planBatch(app.clock.now(), { ...account, lastBatchAt: null }, states, app.random);
    const claims = [];
    for (const share of plan.allocations) claims.push(...(await claimEmails(app, { account, allocation: share })));
    const [first] = claims;
    if (first !== undefined && death !== 'claimed') {
      const email = { ...first, subject: subjectOf(world, first), content: null, replyAccountId: null };
      const [permit] = await permitEmails(app, [{ account, email, message: null }]);
      if (permit === 'granted') world.dead = first.id;
      if (permit === 'granted' && death === 'delivered') world.arrived.push({ to: first.recipient, messageId: first.message_id });
    }
    const ids = claims.map(({ id }) => id);
    await app.db.query(sql`update outbox set worker = 'dead:1:1', lease_until = '-infinity' where id = any(${ids}::bigint[])`);
  },
  inLife(life, seen) {
    const account = life.accounts[which] as Life['accounts'][number];
    for (const enrolment of claimable(life, account)) {
      const email = claim(life, enrolment, account, seen.emailOf);
      if (email.id !== seen.world.dead) continue;
      Object.assign(email, { state: 'transmitting', permittedAt: life.now, isRecorded: true, promised: null });
      if (death === 'delivered') email.isOut = true;
    }
  },
});

export const recovery = (): Move => ({
  name: 'recovery',
  inWorld: ({ app }) => recoverOutbox(app, { wasFetched, wasAnswered }),
  inLife: (life) => void recover(life),
});

/** Finds an email whose delivery is unknown, if there is any. */
const unresolved = (life: Life, which: number) => {
  const emails = life.emails.filter(({ state }) => state === 'uncertain' || state === 'unknown');
  return emails[which % Math.max(emails.length, 1)];
};

export const decide = (which: number, decision: 'sent' | 'resend'): Move => ({
  name: `decide that unknown email ${which} is ${decision === 'sent' ? 'sent' : 'sent again'}`,
  isPossible: (life) => unresolved(life, which) !== undefined,
  async inWorld(world, life) {
    const email = unresolved(life, which);
    if (decision === 'resend') world.resent.add(email?.messageId ?? '');
    await resolveOutbox(world.app, world.caller, email?.id ?? 0, decision);
  },
  inLife: (life) => resolve(life, unresolved(life, which) as NonNullable<ReturnType<typeof unresolved>>, decision),
});

/** Finds an email that a server has: messages can only arrive about those. */
export const out = (life: Life, which: number) => {
  const emails = life.emails.filter(({ isOut }) => isOut);
  return emails[which % Math.max(emails.length, 1)];
};

/** An email client fetches the image of an email. */
export const fetchImage = (which: number): Move => ({
  name: `image of email ${which} is fetched`,
  isPossible: (life) => out(life, which) !== undefined,
  inWorld: ({ app }, life) =>
    app.db.query(sql`
    insert into tracking_hits (workspace_id, outbox_id, kind, machine, at)
    select workspace_id, id, 'opened', 'proxy', ${app.clock.now()} from outbox where id = ${out(life, which)?.id}`),
  inLife(life) {
    const email = out(life, which);
    if (email !== undefined) email.isProved = true;
  },
});

/** Finds the first pending call whose campaign is visible. */
const pendingCall = (life: Life) =>
  life.enrolments
    .filter(({ campaign }) => !campaign.isDeleted)
    .flatMap((enrolment) => [...enrolment.calls].map(([step, call]) => ({ enrolment, step, call })))
    .find(({ call }) => call.status === 'pending');

export const makeCall = (outcome: 'done' | 'skipped'): Move => ({
  name: `call ${outcome}`,
  isPossible: (life) => pendingCall(life) !== undefined,
  async inWorld({ app, caller }: World, life) {
    const [call] = await app.db.query<{ id: number }>(
      sql`select id from call_tasks where enrolment_id = ${pendingCall(life)?.enrolment.id} and status = 'pending'`,
    );
    await closeCall(app, caller, call?.id ?? 0, { outcome, note: null });
  },
  inLife(life) {
    const { enrolment, step, call } = pendingCall(life) as NonNullable<ReturnType<typeof pendingCall>>;
    Object.assign(call, { status: 'done', at: life.now });
    life.advance(enrolment, step, life.now);
  },
});

/** Sets whether the mailboxes that receive the replies can be polled. */
export const setMailbox = (isRead: boolean): Move => ({
  name: isRead ? 'the mailboxes can be polled' : "the mailboxes can't be polled",
  isPossible: (life) => life.isMailboxRead !== isRead,
  async inWorld(world) {
    world.isMailboxRead = isRead;
  },
  inLife(life) {
    life.isMailboxRead = isRead;
  },
});
