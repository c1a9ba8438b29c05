import PostalMime, { type Email } from 'postal-mime';
import { type Clock, HOUR } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import { type Answered, deliveryFailure, outOfOffice, reply } from './letters.ts';
import type { Delivered } from './mail-servers.ts';
import type { Person } from './people.ts';

/** What the invented people really did, counted as they did it: the truth that the statistics have to match. */
export interface Deeds {
  mails: number;
  opened: Set<string>;
  clicked: Set<string>;
  replied: Set<string>;
  bounced: Set<string>;
  unsubscribed: Set<string>;
  away: Set<string>;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The people who get the demo's mails. Each mail sets off what its recipient does about it, hours later by the demo's clock. */
export class Crowd {
  readonly deeds: Deeds = {
    mails: 0,
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
  readonly #mailsTo = new Map<string, number>();
  /** Those who will do something at an instant of the demo's clock. */
  readonly #waiting = new Set<{ until: number; resume: () => void }>();
  /** How many are doing something now. */
  #busy = 0;

  /** @param deliver puts a message into the sender's mailbox */
  constructor(people: readonly Person[], clock: Clock, random: Random, deliver: (raw: string) => void) {
    this.#people = new Map(people.map((person) => [person.email, person]));
    this.#clock = clock;
    this.#random = random;
    this.#deliver = deliver;
  }

  /** What the recipient's server answers where there is no such mailbox, else null. */
  readonly refuses = (address: string): { code: number; text: string } | null => {
    if (this.#people.get(address)?.ending.kind !== 'bounce') return null;
    this.deeds.bounced.add(address);
    return { code: 550, text: `5.1.1 <${address}>: Recipient address rejected: User unknown` };
  };

  /** A mail has come. */
  readonly receive = ({ to, raw }: Delivered): void => {
    this.deeds.mails++;
    const person = this.#people.get(to);
    if (person === undefined) return;
    const step = (this.#mailsTo.get(to) ?? 0) + 1;
    this.#mailsTo.set(to, step);
    this.#busy++;
    // What somebody fails to do, they did not do; the count is made after the deed.
    void this.#react(person, step, raw)
      .catch(() => undefined)
      .finally(() => this.#busy--);
  };

  /** Whether somebody is doing something this very moment. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** Whether somebody will do something later. */
  get isExpectant(): boolean {
    return this.#waiting.size > 0;
  }

  /** The clock has moved: those whose time has come go on. */
  wake(): void {
    const now = this.#clock.now().getTime();
    for (const wait of [...this.#waiting].filter(({ until }) => until <= now)) {
      this.#waiting.delete(wait);
      this.#busy++;
      wait.resume();
    }
  }

  async #react(person: Person, step: number, raw: Buffer): Promise<void> {
    const mail = await PostalMime.parse(raw);
    const answered = { messageId: mail.messageId ?? '', subject: mail.subject ?? '', sender: mail.from?.address ?? '' };
    const isEnd = person.ending.kind !== 'silence' && person.ending.step === step;
    if (isEnd && person.ending.kind === 'late bounce') return this.#bounce(person, answered);
    if (person.isAway && step === 1) await this.#answerByMachine(person, answered);
    if (person.opens) await this.#open(person, mail);
    if (person.clicks) await this.#click(person, mail);
    if (isEnd && person.ending.kind === 'reply') await this.#reply(person, answered);
    if (isEnd && person.ending.kind === 'unsubscribe') await this.#unsubscribe(person, mail);
  }

  async #bounce(person: Person, answered: Answered): Promise<void> {
    await this.#wait(0.2, 1);
    this.#deliver(deliveryFailure(person, answered, this.#clock.now()));
    this.deeds.bounced.add(person.email);
  }

  async #answerByMachine(person: Person, answered: Answered): Promise<void> {
    await this.#wait(0.1, 0.3);
    this.#deliver(outOfOffice(person, answered, this.#clock.now()));
    this.deeds.away.add(person.email);
  }

  async #open(person: Person, mail: Email): Promise<void> {
    await this.#wait(0.3, 8);
    for (const [, url] of (mail.html ?? '').matchAll(/<img[^>]+src="([^"]+)"/g)) await this.#visit(url ?? '');
    this.deeds.opened.add(person.email);
  }

  async #click(person: Person, mail: Email): Promise<void> {
    const url = /<a[^>]+href="([^"]+)"/.exec(mail.html ?? '')?.[1];
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

  /** As a mail program does for its button (RFC 8058 §3.2). */
  async #unsubscribe(person: Person, mail: Email): Promise<void> {
    const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const url = /<(https?:[^>]+)>/.exec(header)?.[1];
    if (url === undefined) return;
    await this.#wait(0.1, 1);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    await fetch(url, { method: 'POST', body, headers: { 'user-agent': BROWSER } });
    this.deeds.unsubscribed.add(person.email);
  }

  /** Looks at an address as a browser does, without going on to where it leads: that lies outside the machine. */
  async #visit(url: string): Promise<void> {
    const response = await fetch(url.replaceAll('&amp;', '&'), { redirect: 'manual', headers: { 'user-agent': BROWSER } });
    await response.arrayBuffer();
  }

  /** Between so many hours of the demo's clock. */
  #wait(least: number, most: number): Promise<void> {
    const hours = this.#random.integer(least * 100, most * 100) / 100;
    return new Promise((resume) => {
      this.#waiting.add({ until: this.#clock.now().getTime() + hours * HOUR, resume });
      this.#busy--;
    });
  }
}
