import { afterEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { resumeAccount } from '../../src/campaigns/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { type HostileSmtp, startHostileSmtp } from '../support/hostile/smtp.ts';
import { SMTP_PROFILES } from '../support/hostile/smtp-profiles.ts';
import { drawScript } from '../support/hostile/smtp-walk.ts';
import { rowOf } from '../support/rows.ts';
import { runs } from '../support/runs.ts';
import { enrolmentsOf, type Sender, startSender } from '../support/sender.ts';

const installation = await testInstallation();
const { app, caller, clock } = installation;
let server: HostileSmtp;
afterEach(() => server.close());

let made = 0;
const people = (count: number) => Array.from({ length: count }, () => ({ email: `hostile-${++made}@example.org` }));
/** Timeouts of a batch in real time: the ten minutes of RFC 5321, shortened. */
const SILENCE = { connectionTimeout: 1_500, greetingTimeout: 1_500, socketTimeout: 1_500 };
const account = ({ accountId }: Sender) => rowOf<{ status: string; pause_message: string | null }>(app, 'accounts', accountId);
const failures = ({ campaignId }: Sender) =>
  app.db.query(sql`select type, details from events where campaign_id = ${campaignId} and type in ('failed', 'bounced')`);

describe('a server like', () => {
  it.each(Object.entries(SMTP_PROFILES))('%s: each contact gets one email, in one batch', async (_, profile) => {
    clock.set(TEST_START);
    server = await startHostileSmtp(profile);
    const contacts = people(3);
    const sender = await startSender(installation, server, { contacts });
    expect(await sender.batch()).toEqual({ sent: 3, other: 0 });
    expect(server.taken.sort()).toEqual(contacts.map(({ email }) => email).sort());
    expect(await account(sender)).toMatchObject({ status: 'active', pause_message: null });
    expect(await failures(sender)).toEqual([]);
  });
});

const SEED = Number(process.env.HOSTILE_SEED ?? (process.env.TEST_SOAK === undefined ? 1 : Date.now() % 1_000_000));

/** Returns what `explain`, the account and the outbox tell an operator about emails that were not sent. */
async function told(sender: Sender): Promise<string> {
  const { reasons, notes } = await explainCampaign(app, operator(1), sender.campaignId);
  const { pause_message } = await account(sender);
  const tried = await app.db.query<{ response: string | null }>(
    sql`select response from outbox where campaign_id = ${sender.campaignId} and state <> 'accepted'`,
  );
  return [...reasons, ...notes, pause_message ?? '', ...tried.map(({ response }) => response ?? '')].join(' ');
}

/** Delays between the batches during a deviation. */
const SHORT = [16 * MINUTE, 16 * MINUTE, 16 * MINUTE];
const LONG = Array.from({ length: 8 }, () => [16 * MINUTE, 64 * MINUTE, 5 * HOUR, 18 * HOUR]).flat();

/**
 * "Whatever a server does: nobody gets an email twice, a refusal about us never touches a contact, the operator is told in the server's
 * words, and when it has ended all are sent."
 */
it(`random walks over deviations of a submission server, from HOSTILE_SEED=${SEED}`, { timeout: 900_000 }, async () => {
  for (let walk = 0; walk < Number(process.env.HOSTILE_RUNS ?? runs(4, 120)); walk++) {
    clock.set(TEST_START);
    const source = seededRandom(SEED + walk);
    const random = () => source.integer(0, 999_999) / 1_000_000;
    const profiles = Object.entries(SMTP_PROFILES);
    const [profileName, profile] = profiles[Math.floor(random() * profiles.length)] ?? ['', {}];
    server = await startHostileSmtp(profile);
    const drawn = Array.from({ length: 1 + Math.floor(random() * 2) }, () => drawScript(random));
    const where = `walk ${SEED + walk} at ${profileName}: ${drawn.map(({ name }) => name).join('; ')}`;
    const contacts = people(3).map(({ email }) => email);
    const sender = await startSender(installation, server, { contacts: contacts.map((email) => ({ email })), timings: SILENCE });
    server.deviate(Object.assign({}, ...drawn.map(({ script }) => script)));
    let words = '';
    // Some deviations last for days, longer than an email is retried; a user resumes the account each day.
    for (const after of random() < 0.3 ? LONG : SHORT) {
      if ((await account(sender)).status === 'paused') await resumeAccount(app, caller, sender.accountId);
      await sender.batch();
      words = await told(sender);
      clock.advance(after);
    }
    const states = async () =>
      app.db.query<{ recipient: string; state: string }>(
        sql`select recipient, state from outbox where campaign_id = ${sender.campaignId} and state in ('accepted', 'uncertain')`,
      );
    const settled = (await states()).map(({ recipient }) => recipient);
    if (settled.length < contacts.length || (await states()).some(({ state }) => state === 'uncertain'))
      expect(words, `${where}; nothing is told`).toMatch(
        /not today|offers no login|is paused|limit exceeded|later|clos(ed|ing)|connection|timeout|timed out|in time|Unexpected|response|greeting|uncertain|may or may not|Invalid|HTTP/i,
      );
    server.deviate({});
    for (let day = 0; day < 4; day++) {
      if ((await account(sender)).status === 'paused') await resumeAccount(app, caller, sender.accountId);
      for (const after of [DAY / 2, HOUR, 5 * HOUR, 6 * HOUR]) {
        await sender.batch();
        clock.advance(after);
      }
    }
    expect((await states()).map(({ recipient }) => recipient).sort(), `${where}; after it ended`).toEqual(contacts);
    expect(server.taken.sort(), `${where}; twice`).toEqual([...new Set(server.taken)]);
    expect(
      (await enrolmentsOf(installation, sender.campaignId)).map(({ status }) => status),
      where,
    ).not.toContain('bounced');
    expect(await app.db.query(sql`select email from suppressions where email = any(${contacts}::text[])`), where).toEqual([]);
    await server.close();
  }
});
