import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between an IMAP client and its server that records, delays and cuts. */
export interface ImapProxy {
  readonly port: number;
  /** The commands of clients, each with its name and arguments, without its tag. */
  readonly commands: string[];
  /** Bytes that the server sent. */
  received(): number;
  /** Cuts the next connection after that many bytes from the server. */
  cutAfter(bytes: number): void;
  /** Cuts every open connection after that many more bytes from the server. */
  cutOpenAfter(bytes: number): void;
  /** Forwards nothing more over the open connections, and closes none, like an address translator that has dropped its state. */
  silence(): void;
  /** Accepts that many concurrent connections, and closes any further ones immediately. */
  limit(connections: number): void;
  /** Delays the first command that matches until `work` is done, once. */
  before(command: RegExp, work: () => Promise<void>): void;
  close(): Promise<void>;
}

export async function startImapProxy(target: number): Promise<ImapProxy> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  /** For each open connection, the bytes that the server may still send; null if nothing is forwarded. */
  const open = new Set<{ left: number | null }>();
  let received = 0;
  let cut = Number.POSITIVE_INFINITY;
  let held: { command: RegExp; work: () => Promise<void> } | undefined;

  const server: Server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const wire: { left: number | null } = { left: cut };
    open.add(wire);
    cut = Number.POSITIVE_INFINITY;
    const end = () => {
      open.delete(wire);
      for (const socket of [client, upstream]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, upstream]) sockets.add(socket.on('error', end).on('close', end));
    upstream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (wire.left === null) return;
      client.write(chunk.subarray(0, wire.left));
      wire.left -= chunk.length;
      if (wire.left <= 0) end();
    });
    client.on('data', async (chunk: Buffer) => {
      const lines = chunk.toString('latin1').split('\r\n').filter(Boolean);
      commands.push(...lines.map((line) => line.replace(/^\S+ /, '')));
      if (held !== undefined && lines.some((line) => held?.command.test(line))) {
        const { work } = held;
        held = undefined;
        client.pause();
        await work();
        client.resume();
      }
      if (!upstream.destroyed) upstream.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    received: () => received,
    cutAfter(bytes) {
      cut = bytes;
    },
    cutOpenAfter(bytes) {
      for (const wire of open) wire.left = bytes;
    },
    silence() {
      for (const wire of open) wire.left = null;
    },
    limit(connections) {
      server.maxConnections = connections;
    },
    before(command, work) {
      held = { command, work };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
