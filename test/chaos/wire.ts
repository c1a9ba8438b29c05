import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Place, type Reached, SmtpConversation } from './smtp-conversation.ts';

/** The state of a wire: it forwards bytes immediately or late, keeps them, or has no connections at all. */
export type WireState = 'open' | 'slow' | 'silent' | 'cut';

interface Trap {
  place: Place;
  /** Called with the port of the caught client. */
  spring: (clientPort: number) => void;
}

/**
 * A TCP wire between the daemons and one of their servers, which can be made slow, silent (half-open) or cut. For SMTP, a trap catches the
 * first client that reaches a place in its conversation; from then on nothing passes on its connection.
 */
export class Wire {
  readonly #target: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #state: WireState = 'open';
  #trap: Trap | undefined;
  /** The last pending write in each direction. */
  readonly #pending = new Map<Socket, Promise<void>>();
  /** Milliseconds that every chunk takes in each direction, normally and when slow. */
  readonly #latency: { open: number; slow: number };

  constructor(target: number, latency = { open: 0, slow: 100 }) {
    this.#target = target;
    this.#latency = latency;
    this.#server = createServer((client) => this.#join(client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.set('cut');
    this.#server.close();
  }

  set(state: WireState): void {
    this.#state = state;
    if (state === 'cut') for (const [client] of this.#pairs) client.resetAndDestroy();
    // Bytes kept during a silence are not delivered later: such connections end as with a firewall that has dropped their state.
    else if (state === 'open') for (const [client] of this.#pairs) if (client.isPaused()) client.resetAndDestroy();
    if (state === 'silent') for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Resolves with the port of the first client that reaches the place, or with undefined after `seconds`. */
  catchClient(place: Place, seconds: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#trap = undefined;
        resolve(undefined);
      }, seconds * 1_000);
      this.#trap = {
        place,
        spring: (port) => {
          clearTimeout(timer);
          this.#trap = undefined;
          resolve(port);
        },
      };
    });
  }

  #join(client: Socket): void {
    client.on('error', () => undefined);
    if (this.#state === 'cut') return void client.resetAndDestroy();
    const server = connect(this.#target, '127.0.0.1');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end);
    const conversation = new SmtpConversation();
    client.on('data', (chunk) => this.#pass(chunk, server, client, (bytes) => conversation.fromClient(bytes)));
    server.on('data', (chunk) => this.#pass(chunk, client, client, (bytes) => conversation.fromServer(bytes)));
    if (this.#state === 'silent') for (const socket of pair) socket.pause();
  }

  #pass(chunk: Buffer, to: Socket, client: Socket, read: (chunk: Buffer) => Reached): void {
    const reached = read(chunk);
    const passes = this.#trap === undefined ? undefined : reached[this.#trap.place];
    if (passes === undefined) {
      this.#write(chunk, to);
      return;
    }
    // The bytes that pass are written immediately: the client may be killed as soon as the trap has sprung.
    if (passes > 0) to.write(chunk.subarray(0, passes));
    client.pause();
    this.#trap?.spring(client.remotePort ?? 0);
  }

  /** Writes in order, each chunk with the delay that the wire had when it arrived. */
  #write(chunk: Buffer, to: Socket): void {
    const latency = this.#state === 'slow' ? this.#latency.slow : this.#latency.open;
    const before = this.#pending.get(to);
    if (latency === 0 && before === undefined) return void to.write(chunk);
    const due = performance.now() + latency;
    const written = (before ?? Promise.resolve()).then(async () => {
      await wait(Math.max(0, due - performance.now()));
      if (!to.destroyed) to.write(chunk);
      if (this.#pending.get(to) === written) this.#pending.delete(to);
    });
    this.#pending.set(to, written);
  }
}
