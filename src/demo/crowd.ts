import PostalMime, { type Email } from 'postal-mime';
import { type Clock, HOUR } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import { type Answered, deliveryFailure, outOfOffice, reply } from './letters.ts';
import type { Delivered } from './mail-servers.ts';
import type { Person } from './people.ts';

/** The actions of the simulated contacts, recorded as they happen: the statistics must match them. */
export interface Deeds {
  emails: number;
  opened: Set<string>;
  clicked: Set<string>;
  replied: Set<string>;
  bounced: Set<string>;
  unsubscribed: Set<string>;
  away: Set<string>;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The recipients of the demo's emails. Each email triggers the actions of its recipient, hours later by the demo's clock. */
export class Crowd {
  readonly deeds: Deeds = {
    emails: 0,
    opened: new Set(),
    clicked: new Set(),
    replied: new Set(),
    bounced: new Set(),
    unsubscribed: new Set(),
    away: new Set(),
  };
  readonly #people: Map<string, Person>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #deliver: (raw: string) => void;
  readonly #emailsTo = new Map<string, number>();
  /** Actions that wait for a time of the demo's clock. */
  readonly #waiting = new Set<{ until: number; resume: () => void }>();
  /** The number of actions in progress. */
  #busy = 0;

  /** @param deliver appends a message to the sender's INBOX */
  constructor(people: readonly Person[], clock: Clock, random: Random, deliver: (raw: string) => void) {
    this.#people = new Map(people.map((person) => [person.email, person]));
    this.#clock = clock;
    this.#random = random;
    this.#deliver = deliver;
  }

  /** Returns the reply to RCPT TO of a server without such a mailbox, otherwise null. */
  readonly refuses = (address: string): { code: number; text: string } | null => {
    if (this.#people.get(address)?.ending.kind !== 'bounce') return null;
    this.deeds.bounced.add(address);
    return { code: 550, text: `5.1.1 <${address}>: Recipient address rejected: User unknown` };
  };

  /** Accepts an email for a recipient. */
  readonly receive = ({ to, raw }: Delivered): void => {
    this.deeds.emails++;
    const person = this.#people.get(to);
    if (person === undefined) return;
    const step = (this.#emailsTo.get(to) ?? 0) + 1;
    this.#emailsTo.set(to, step);
    this.#busy++;
    // A failed action does not count: actions are recorded after they succeed.
    void this.#react(person, step, raw)
      .catch(() => undefined)
      .finally(() => this.#busy--);
  };

  /** True while an action is in progress. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** True while actions wait for their time. */
  get isExpectant(): boolean {
    return this.#waiting.size > 0;
  }

  /** Resumes the actions whose time has come; call it when the clock has moved. */
  wake(): void {
    const now = this.#clock.now().getTime();
    for (const wait of [...this.#waiting].filter(({ until }) => until <= now)) {
      this.#waiting.delete(wait);
      this.#busy++;
      wait.resume();
    }
  }

  async #react(person: Person, step: number, raw: Buffer): Promise<void> {
    const email = await PostalMime.parse(raw);
    const answered = { messageId: email.messageId ?? '', subject: email.subject ?? '', sender: email.from?.address ?? '' };
    const isEnd = person.ending.kind !== 'silence' && person.ending.step === step;
    if (isEnd && person.ending.kind === 'late bounce') return this.#bounce(person, answered);
    if (person.isAway && step === 1) await this.#sendAutoReply(person, answered);
    if (person.opens) await this.#open(person, email);
    if (person.clicks) await this.#click(person, email);
    if (isEnd && person.ending.kind === 'reply') await this.#reply(person, answered);
    if (isEnd && person.ending.kind === 'unsubscribe') await this.#unsubscribe(person, email);
  }

  async #bounce(person: Person, answered: Answered): Promise<void> {
    await this.#wait(0.2, 1);
    this.#deliver(deliveryFailure(person, answered, this.#clock.now()));
    this.deeds.bounced.add(person.email);
  }

  async #sendAutoReply(person: Person, answered: Answered): Promise<void> {
    await this.#wait(0.1, 0.3);
    this.#deliver(outOfOffice(person, answered, this.#clock.now()));
    this.deeds.away.add(person.email);
  }

  async #open(person: Person, email: Email): Promise<void> {
    await this.#wait(0.3, 8);
    for (const [, url] of (email.html ?? '').matchAll(/<img[^<>]+src="([^"]+)"/g)) await this.#visit(url ?? '');
    this.deeds.opened.add(person.email);
  }

  async #click(person: Person, email: Email): Promise<void> {
    const url = /<a[^<>]+href="([^"]+)"/.exec(email.html ?? '')?.[1];
    if (url === undefined) return;
    await this.#wait(0.1, 1);
    await this.#visit(url);
    this.deeds.clicked.add(person.email);
  }

  async #reply(person: Person, answered: Answered): Promise<void> {
    await this.#wait(0.5, 6);
    this.#deliver(reply(person, answered, this.#clock.now(), this.#random.integer(0, 99)));
    this.deeds.replied.add(person.email);
  }

  /** One-click unsubscribe, as an email client does it (RFC 8058 §3.2). */
  async #unsubscribe(person: Person, email: Email): Promise<void> {
    const header = email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const url = /<(https?:[^>]+)>/.exec(header)?.[1];
    if (url === undefined) return;
    await this.#wait(0.1, 1);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    await fetch(url, { method: 'POST', body, headers: { 'user-agent': BROWSER } });
    this.deeds.unsubscribed.add(person.email);
  }

  /** Requests a URL as a browser does, without following redirects: those lead off this machine. */
  async #visit(url: string): Promise<void> {
    const response = await fetch(url.replaceAll('&amp;', '&'), { redirect: 'manual', headers: { 'user-agent': BROWSER } });
    await response.arrayBuffer();
  }

  /** Waits a random number of hours of the demo's clock. */
  #wait(least: number, most: number): Promise<void> {
    const hours = this.#random.integer(least * 100, most * 100) / 100;
    return new Promise((resume) => {
      this.#waiting.add({ until: this.#clock.now().getTime() + hours * HOUR, resume });
      this.#busy--;
    });
  }
}
