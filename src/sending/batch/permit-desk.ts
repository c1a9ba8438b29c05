import type { App } from '../../app.ts';
import { type Permit, type PermitRequest, permitMails } from '../outbox/permit.ts';

interface Waiting {
  request: PermitRequest;
  resolve: (permit: Permit) => void;
  reject: (error: unknown) => void;
}

/**
 * Asks for permits in groups without making anybody wait for a group: the first is asked for at once, and what comes
 * meanwhile goes together into the next statement. One mailbox alone pays one commit a mail, many share it. Nothing is
 * asked ahead of time, so that what a person stops takes effect before the next mail.
 */
class PermitDesk {
  readonly #app: App;
  #waiting: Waiting[] = [];
  #isAsking = false;

  constructor(app: App) {
    this.#app = app;
  }

  ask(request: PermitRequest): Promise<Permit> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#isAsking) void this.#askAll();
    });
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    // After those who are about to ask in this turn of the event loop, too.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#askGroup(this.#takeGroup());
    this.#isAsking = false;
  }

  /** One of each account: the statement counts a day once. The others wait for the next group. */
  #takeGroup(): Waiting[] {
    const group = new Map<number, Waiting>();
    const others: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const { id } = waiting.request.account;
      if (group.has(id)) others.push(waiting);
      else group.set(id, waiting);
    }
    this.#waiting = others;
    return [...group.values()];
  }

  async #askGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const permits = await permitMails(
        this.#app,
        group.map(({ request }) => request),
      );
      for (const [index, { resolve }] of group.entries()) resolve(permits[index] ?? 'lost');
    } catch (error) {
      // The answer is lost for all; each batch gives its mail back as certainly unsent.
      for (const { reject } of group) reject(error);
    }
  }
}

const desks = new WeakMap<App, PermitDesk>();

/** The one desk of this daemon: the more mailboxes send at the same time, the more permits one commit grants. */
export function permitDeskOf(app: App): PermitDesk {
  let desk = desks.get(app);
  if (desk === undefined) {
    desk = new PermitDesk(app);
    desks.set(app, desk);
  }
  return desk;
}
