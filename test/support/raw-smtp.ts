import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What is said to a command: text with a line end, raw bytes without one, nothing at all, or something done to the connection. */
export type RawReply = string | Buffer | null | ((socket: Socket) => void);

export type RawCommand = 'greeting' | 'EHLO' | 'HELO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'dot' | 'RSET' | 'QUIT';

export interface RawSmtp {
  readonly port: number;
  /** Every line that came, the message's too, of all connections. */
  readonly lines: string[];
  /** Messages that came to their final dot. */
  readonly messages: string[];
  readonly connections: number;
  close(): Promise<void>;
}

const HAPPY: Record<RawCommand, RawReply> = {
  greeting: '220 mx.example.net ESMTP',
  EHLO: '250-mx.example.net\r\n250-SIZE 100000000\r\n250 AUTH PLAIN',
  HELO: '250 mx.example.net',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  dot: '250 2.0.0 queued as 1',
  RSET: '250 2.0.0 ok',
  QUIT: '221 2.0.0 bye',
};

/** A mail server that walks the happy path except where the script says otherwise; it does not care about syntax, so that it can break it. */
export async function startRawSmtp(script: Partial<Record<RawCommand, RawReply>> = {}): Promise<RawSmtp> {
  const replies = { ...HAPPY, ...script };
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  const messages: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const say = (command: RawCommand) => {
      const reply = replies[command] ?? (command in replies ? null : '502 5.5.1 unknown command');
      if (typeof reply === 'function') reply(socket);
      else if (reply !== null && socket.writable) socket.write(typeof reply === 'string' ? `${reply}\r\n` : reply);
    };
    let message: string[] | undefined;
    let rest = '';
    say('greeting');
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(line);
        if (message === undefined) {
          const command = line.split(/[ :]/, 1)[0]?.toUpperCase() as RawCommand;
          say(command);
          if (command === 'DATA' && typeof replies.DATA === 'string' && replies.DATA.startsWith('354')) message = [];
        } else if (line === '.') {
          messages.push(message.join('\r\n'));
          message = undefined;
          say('dot');
        } else message.push(line);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    messages,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
