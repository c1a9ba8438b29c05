import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Answers a command itself; returns false to leave it to the well-behaved server. @param line the whole command, with its arguments */
export type Greed = (command: string, tag: string, say: Say, line: string) => boolean;

interface Say {
  /** Sends text; if `endless`, repeats it whenever there is room for more, until the client closes the connection. */
  (text: string | Buffer, options?: { endless?: boolean }): void;
  /** Sends a line now and then, forever. */
  slowly: (line: string) => void;
}

export interface GreedyImap {
  readonly port: number;
  readonly connections: number;
  /** Bytes that clients have received. */
  taken(): number;
  close(): Promise<void>;
}

const PIECE = 64 * 1024;
const CAPABILITIES = 'IMAP4rev1 UIDPLUS';

/** Starts a well-behaved IMAP server with one folder of 16 messages. Where `greed` says so, it sends more than requested, or for longer. */
export async function startGreedyImap(greed: Greed): Promise<GreedyImap> {
  const sockets = new Set<Socket>();
  let taken = 0;
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .once('close', () => {
        taken += socket.bytesWritten;
        sockets.delete(socket);
      });
    // Piece by piece, so that the bytes written equal the bytes received, except for the last piece and the socket buffers.
    const left: Buffer[] = [];
    let endless: Buffer | undefined;
    const write = () => {
      for (let hasRoom = true; hasRoom && socket.writable; ) {
        const next = left.shift() ?? endless;
        if (next === undefined) return;
        if (next.length > PIECE) left.unshift(next.subarray(PIECE));
        hasRoom = socket.write(next.subarray(0, PIECE));
      }
    };
    socket.on('drain', write);
    const say: Say = Object.assign(
      (text: string | Buffer, options: { endless?: boolean } = {}) => {
        const bytes = Buffer.from(text);
        if (options.endless) endless = bytes;
        else left.push(bytes);
        write();
      },
      {
        slowly: (line: string) => {
          const timer = setInterval(() => socket.write(line), 20);
          socket.once('close', () => clearInterval(timer));
        },
      },
    );
    say(`* OK [CAPABILITY ${CAPABILITIES}] ready\r\n`);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [tag = '', ...words] = line.split(' ');
        const verb = words[0]?.toUpperCase() === 'UID' ? `UID ${words[1]?.toUpperCase()}` : (words[0]?.toUpperCase() ?? '');
        if (greed(verb, tag, say, line)) continue;
        say(`${(ANSWERS[verb] ?? []).map((answer) => `* ${answer}\r\n`).join('')}${tag} OK done\r\n`);
        if (verb === 'LOGOUT') socket.end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    taken: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, taken),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const FOLDER = ['FLAGS (\\Seen)', '16 EXISTS', '0 RECENT', 'OK [UIDVALIDITY 7] x', 'OK [UIDNEXT 17] x'];
const ANSWERS: Record<string, string[]> = {
  CAPABILITY: [`CAPABILITY ${CAPABILITIES}`],
  LIST: ['LIST (\\HasNoChildren) "/" INBOX'],
  SELECT: FOLDER,
  EXAMINE: FOLDER,
  STATUS: ['STATUS INBOX (UIDNEXT 17 UIDVALIDITY 7)'],
  'UID SEARCH': [`SEARCH ${Array.from({ length: 16 }, (_, index) => index + 1).join(' ')}`],
  LOGOUT: ['BYE bye'],
};
