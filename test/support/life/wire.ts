import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterFile } from '../after-file.ts';

/**
 * The server's treatment of one email: it accepts it, refuses it, or cuts the connection after the final dot, having accepted it (`drop`)
 * or not (`lose`).
 */
export type Treatment = 'take' | 'hard' | 'soft' | 'ours' | 'limit' | 'drop' | 'lose';

/** Receives the emails that a sender's domain submits. */
interface Recipient {
  treatmentOf(address: string): Treatment;
  /** Receives an email that arrived completely, whether or not the sender learns of it. */
  take(email: { to: string; headerTo: string; messageId: string }): void;
}

export interface Wire {
  readonly port: number;
  /** Passes the emails that this domain submits to `recipient`. */
  plug(domain: string, recipient: Recipient): void;
  unplug(domain: string): void;
}

/** Replies of real servers, by their meaning to the program. */
const REFUSALS = {
  hard: '550 5.1.1 User unknown',
  soft: '452 4.2.2 Mailbox full',
  ours: '552 5.3.4 Message size exceeds fixed limit',
  limit: '550 5.4.5 Daily user sending limit exceeded',
} as const;

/**
 * An SMTP server for thousands of short sessions: no login, no TLS, and just enough of the protocol. It treats each email as the
 * recipient of its sender's domain says.
 */
export async function startWire(): Promise<Wire> {
  const recipients = new Map<string, Recipient>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    new Session(socket, recipients).greet();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    plug: (domain, recipient) => void recipients.set(domain, recipient),
    unplug: (domain) => void recipients.delete(domain),
  };
}

class Session {
  readonly #socket: Socket;
  readonly #recipients: ReadonlyMap<string, Recipient>;
  #recipient: Recipient | undefined;
  #to = '';
  /** Lines of the message that is being received. */
  #message: string[] | undefined;
  #rest = '';

  constructor(socket: Socket, recipients: ReadonlyMap<string, Recipient>) {
    this.#socket = socket;
    this.#recipients = recipients;
  }

  greet(): void {
    this.#say('220 wire.example');
    this.#socket.on('data', (chunk) => {
      const lines = (this.#rest + chunk.toString('latin1')).split('\r\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#read(line);
    });
  }

  #say(reply: string): void {
    if (this.#socket.writable) this.#socket.write(`${reply}\r\n`);
  }

  #read(line: string): void {
    if (this.#message !== undefined) {
      if (line === '.') this.#end(this.#message);
      else this.#message.push(line);
      return;
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1);
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'MAIL') this.#recipient = this.#recipients.get(address.slice(address.indexOf('@') + 1));
    if (verb === 'DATA') this.#message = [];
    this.#say(verb === 'DATA' ? '354 go on' : verb === 'RCPT' ? this.#name(address) : '250 ok');
    if (verb === 'QUIT') this.#socket.end();
  }

  #name(address: string): string {
    this.#to = address;
    const treatment = this.#recipient?.treatmentOf(address) ?? 'take';
    return treatment in REFUSALS ? REFUSALS[treatment as keyof typeof REFUSALS] : '250 ok';
  }

  #end(message: readonly string[]): void {
    this.#message = undefined;
    const treatment = this.#recipient?.treatmentOf(this.#to) ?? 'take';
    const header = message
      .slice(0, message.indexOf(''))
      .join('\n')
      .replaceAll(/\n[ \t]+/g, ' ');
    const fieldOf = (field: RegExp) => field.exec(header)?.[1] ?? '';
    const email = { to: this.#to, headerTo: fieldOf(/^to:.*?([^\s<]+@[^\s>]+)/im), messageId: fieldOf(/^message-id: *(\S+)/im) };
    if (treatment !== 'lose') this.#recipient?.take(email);
    if (treatment === 'take') this.#say('250 2.0.0 queued');
    else this.#socket.destroy();
  }
}
