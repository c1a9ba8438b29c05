import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { apiClient } from '../support/api-client.ts';
import { message } from '../support/inbound-mail.ts';
import { emailKey } from '../support/ledger.ts';
import type { TakenEmail } from './sinks.ts';
import type { World } from './world.ts';

/** A person who opted out, and the emails that were in transit to them when that was confirmed. */
export interface OptOut {
  email: string;
  /** Emails that had already been permitted. */
  permitted: Set<string>;
}

/** One in this many recipients answers the first email. */
const ANSWERS = 5;
const ROUND_MILLISECONDS = 1_000;
/** Rounds between two opt-outs. */
const OPT_OUT_ROUNDS = 5;

/** The people: recipients who answer, providers that file sent emails, and an operator who suppresses addresses over the API. */
export class Traffic {
  /** Addresses of the recipients who answered. */
  readonly answers = new Set<string>();
  readonly optOuts: OptOut[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #polled: Set<string>;
  #handled = 0;
  #isEnding = false;
  readonly #loop: Promise<void>;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#polled = new Set([...world.accounts.values()].flatMap(({ email, isPolled }) => (isPolled ? [email] : [])));
    this.#loop = this.#run();
  }

  /** Ends the opt-outs. Answers continue. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#loop;
    this.deliver();
  }

  async #run(): Promise<void> {
    for (let round = 1; !this.#isEnding; round++) {
      this.deliver();
      if (round % OPT_OUT_ROUNDS === 0) await this.#optOut();
      await wait(ROUND_MILLISECONDS);
    }
  }

  /** Files the emails that our own sink has accepted since the last call in the Sent folder, and answers some of them. */
  deliver(): void {
    const taken = this.#world.sinks[0]?.taken() ?? [];
    for (const email of taken.slice(this.#handled)) this.#deliverOne(email);
    this.#handled = taken.length;
  }

  #deliverOne(email: TakenEmail): void {
    const from = /^From: .*?([\w-]+@example\.com)/m.exec(email.raw)?.[1] ?? '';
    if (!this.#polled.has(from)) return;
    this.#world.imap?.deliver(from, [email.raw], undefined, 'Sent');
    if (email.key !== emailKey(email.to, 1) || this.answers.has(email.to) || this.#random.integer(1, ANSWERS) !== 1) return;
    this.answers.add(email.to);
    const messageId = /^Message-ID: (\S+)/im.exec(email.raw)?.[1] ?? '';
    const headers = {
      From: `Ada <${email.to}>`,
      To: from,
      Subject: 'Re: Hello 1',
      Date: new Date().toUTCString(),
      'In-Reply-To': messageId,
    };
    this.#world.imap?.deliver(from, [message(headers, 'Yes, let us talk.')]);
  }

  /** Suppresses a contact whose sequence is not finished. A failure is not retried, because the opt-out was not confirmed. */
  async #optOut(): Promise<void> {
    const { app, fleet, adminKey } = this.#world;
    const daemon = fleet.running[0];
    if (daemon === undefined) return;
    try {
      const [who] = await app.db.query<{ email: string }>(sql`
        select c.email from enrolments e join contacts c on c.id = e.contact_id
        where e.status = 'active' order by md5(c.email || ${this.#random.integer(1, 1_000_000)}::text) limit 1`);
      if (who === undefined) return;
      const { status } = await apiClient(daemon.url, adminKey).post('/suppressions', { email: who.email });
      if (status !== 201) return;
      const permitted = await app.db.query<{ step_order: number }>(sql`
        select step_order from outbox where recipient = ${who.email} and state not in ('claimed', 'retry')`);
      this.optOuts.push({ email: who.email, permitted: new Set(permitted.map((row) => emailKey(who.email, row.step_order))) });
    } catch {
      // The daemon or the database is unreachable.
    }
  }
}
