import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { MailboxPoller, missedMessages } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapProfile, startHostileImap } from '../support/hostile/imap.ts';
import { PROFILES } from '../support/hostile/profiles.ts';
import { drawDeviation, drawFaults } from '../support/hostile/walk.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';
import { runs } from '../support/runs.ts';

/** The program's timeouts for a silent server, all shortened by the same factor. */
const PATIENCE = {
  answerWithin: SECOND,
  longestPoll: 16 * SECOND,
  timings: { answerTimeout: 3 * SECOND, connectionTimeout: 2 * SECOND, greetingTimeout: 2 * SECOND },
};

let installation: TestInstallation;
let poller: MailboxPoller;
let made = 0;

beforeAll(async () => {
  installation = await testInstallation();
});
beforeEach(() => {
  poller?.close();
  poller = new MailboxPoller(installation.app, { answerWithin: 2 * SECOND });
});
afterAll(() => poller.close());

async function connect(profile: ImapProfile, folders: string | null = null) {
  const server = await startHostileImap(profile);
  const account = await mailboxAccount(installation.app, server.port, `p${++made}@example.com`, { folders });
  const poll = async (after = 3 * MINUTE) => {
    installation.clock.advance(after);
    return (await poller.poll(account)) !== null;
  };
  const row = () => rowOf<{ poll_error: string | null; poll_warning: string | null }>(installation.app, 'accounts', account);
  return { server, account, poll, row };
}
const hasReplied = async (mail: SentMail) =>
  (await rowOf<{ status: string }>(installation.app, 'enrolments', mail.enrolmentId)).status === 'replied';

describe('a server like', () => {
  it.each(
    Object.entries(PROFILES),
  )('%s: replies in INBOX and in its folder for spam are read, and nothing is warned of', async (_, profile) => {
    const { server, account, poll, row } = await connect(profile);
    server.deliver(message({ From: 'x@stranger.example', Subject: 'News' }));
    expect(await poll()).toBe(true);
    const [first, second, late] = [
      await sentMail(installation, account),
      await sentMail(installation, account),
      await sentMail(installation, account),
    ];
    const junk = [...server.folders.keys()].find((name) => /junk|spam|bulk|&V4N/i.test(name)) ?? '';
    server.deliver(reply(first));
    server.deliver(reply(second), junk);
    expect(await poll()).toBe(true);
    server.deliver(reply(late));
    expect(await poll()).toBe(true);
    expect([await hasReplied(first), await hasReplied(second), await hasReplied(late)]).toEqual([true, true, true]);
    expect(await row()).toMatchObject({ poll_error: null, poll_warning: null });
  });
});

const SEED = Number(process.env.HOSTILE_SEED ?? (process.env.TEST_SOAK === undefined ? 1 : Date.now() % 1_000_000));

/** Returns the random numbers of a walk, and the profile that it draws first. */
function beginWalk(walk: number) {
  const source = seededRandom(SEED + walk);
  const random = () => source.integer(0, 999_999) / 1_000_000;
  const profiles = Object.entries(PROFILES);
  const [name, profile] = profiles[Math.floor(random() * profiles.length)] ?? ['', {}];
  return { random, name, profile };
}

/** "A fault of one message costs that message, never the mailbox": a person's reply beside it is read within ten minutes. */
it(`random walks over faults of the messages beside a reply, from HOSTILE_SEED=${SEED}`, { timeout: 900_000 }, async () => {
  poller.close();
  poller = new MailboxPoller(installation.app, PATIENCE);
  for (let walk = 0; walk < Number(process.env.HOSTILE_RUNS ?? runs(1, 120)); walk++) {
    const { random, name, profile } = beginWalk(walk);
    const { server, account, poll } = await connect(profile);
    server.deliver(message({ From: 'x@stranger.example', Subject: 'News' }));
    if (random() < 0.7) await poll();
    const mail = await sentMail(installation, account);
    const isBetween = random() < 0.5;
    const uids = [server.deliver(message({ From: 'y@stranger.example', Subject: 'Before' }))];
    server.deliver(reply(mail));
    if (isBetween) uids.push(server.deliver(message({ From: 'z@stranger.example', Subject: 'After' })));
    const faults = drawFaults(random, uids);
    server.deviate(...faults.deviations);
    for (let turn = 0; turn < 3 && !(await hasReplied(mail)); turn++) await poll();
    expect(await hasReplied(mail), `walk ${SEED + walk} at ${name}: ${faults.name}`).toBe(true);
    await server.close();
  }
});

/**
 * "After any of them, a person's reply that the server can give is read within ten minutes, follow-ups wait where it isn't, and the
 * operator is told."
 */
it(`random walks over deviations of a server, from HOSTILE_SEED=${SEED}`, { timeout: 900_000 }, async () => {
  poller.close();
  poller = new MailboxPoller(installation.app, PATIENCE);
  for (let walk = 0; walk < Number(process.env.HOSTILE_RUNS ?? runs(6, 120)); walk++) {
    const { random, name, profile } = beginWalk(walk);
    const { server, account, poll, row } = await connect(profile);
    server.deliver(message({ From: 'x@stranger.example', Subject: 'News' }));
    if (random() < 0.7) await poll();
    const drawn = Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawDeviation(random));
    const where = `walk ${SEED + walk} at ${name}: ${drawn.map((each) => each.name).join('; ')}`;
    server.deviate(...drawn.map(({ deviation }) => deviation));
    const mail = await sentMail(installation, account);
    server.deliver(reply(mail));
    server.deliver(message({ From: 'y@stranger.example', Subject: 'More news' }));
    let isComplete = false;
    for (let turn = 0; turn < 3; turn++) isComplete = await poll();
    if (!(await hasReplied(mail))) {
      const { poll_error } = await row();
      const missed = await missedMessages(installation.app.db, account);
      const isTold = missed.length > 0 || (!isComplete && poll_error !== null);
      expect(isTold, `${where}; complete: ${isComplete}, error: ${poll_error}`).toBe(true);
    }
    server.deviate();
    await poll(30 * MINUTE);
    await poll();
    const missed = await missedMessages(installation.app.db, account);
    expect((await hasReplied(mail)) || missed.some(({ retry_at }) => retry_at === null), `${where}; after it ended`).toBe(true);
    await server.close();
  }
});
