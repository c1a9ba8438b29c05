import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * The reply to a command: text with a line end, raw bytes without one, nothing at all, or a function that replies or acts on the
 * connection.
 */
export type SmtpReply = string | Buffer | null | SmtpDeviation;

/**
 * Replaces, delays, cuts or repeats an answer. Returns the reply (SmtpReply, or a promise of it), or undefined if it has already sent it.
 */
export type SmtpDeviation = (socket: Socket, command: SmtpCommand) => unknown;

export type SmtpVerb = 'greeting' | 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'dot' | 'RSET' | 'QUIT';

/** A received command, and the answer of a conforming server, or of the profile. */
interface SmtpCommand {
  verb: SmtpVerb;
  line: string;
  honest: SmtpReply;
  /** Messages received over this connection so far, including refused ones. */
  messages: number;
}

export type SmtpScript = Partial<Record<SmtpVerb, SmtpReply>>;

export interface HostileSmtp {
  readonly port: number;
  /** Every line received over all connections, including those of messages. */
  readonly lines: string[];
  /** Messages received up to their final dot. */
  readonly messages: string[];
  /** The recipients of the messages that were not refused there: sending one of them again sends it twice. */
  readonly taken: string[];
  readonly connections: number;
  /** From now on applies this script, in addition to the one that it was started with. */
  deviate(script: SmtpScript): void;
  close(): Promise<void>;
}

const HAPPY: Record<SmtpVerb, SmtpReply> = {
  greeting: '220 mx.example.net ESMTP',
  EHLO: '250-mx.example.net\r\n250-SIZE 100000000\r\n250 AUTH PLAIN',
  HELO: '250 mx.example.net',
  STARTTLS: '502 5.5.1 unknown command',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  dot: '250 2.0.0 queued as 1',
  RSET: '250 2.0.0 ok',
  QUIT: '221 2.0.0 bye',
};

/** The challenges, in base64, before the answer to AUTH. */
const CHALLENGES: Record<string, string[]> = { LOGIN: ['VXNlcm5hbWU6', 'UGFzc3dvcmQ6'], 'CRAM-MD5': ['PDE3ODJAbXguZXhhbXBsZS5uZXQ+'] };

/**
 * Starts an SMTP server that walks the happy path except where a script says otherwise: every answer can be replaced, delayed, cut or
 * repeated. It ignores syntax, so that it can break it, and accepts every password.
 */
export async function startHostileSmtp(script: SmtpScript = {}): Promise<HostileSmtp> {
  let deviations: SmtpScript = {};
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  const messages: string[] = [];
  const taken: string[] = [];
  let connections = 0;

  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    let message: string[] | undefined;
    let recipient = '';
    let asked: string[] = [];
    /** The answer to a login that needs challenges first. */
    let welcome: string | null = null;
    let count = 0;

    /** Returns the reply to a command; null for none, or if it was already sent. */
    const answerTo = async (verb: SmtpVerb, line: string): Promise<string | Buffer | null> => {
      const faithful = HAPPY[verb] ?? '502 5.5.1 unknown command';
      const ofProfile = verb in script ? script[verb] : faithful;
      let reply: SmtpReply | undefined = verb in deviations ? deviations[verb] : ofProfile;
      while (typeof reply === 'function') {
        const honest = reply === ofProfile ? faithful : (ofProfile ?? null);
        reply = (await reply(socket, { verb, line, honest, messages: count })) as SmtpReply | undefined;
      }
      return reply ?? null;
    };
    const say = async (verb: SmtpVerb, line: string): Promise<string> => {
      const reply = await answerTo(verb, line);
      if (reply === null || !socket.writable) return '';
      socket.write(typeof reply === 'string' ? `${reply}\r\n` : reply);
      return reply.toString();
    };
    const ask = (challenge: string) => void socket.write(`334 ${challenge}\r\n`);
    const take = async (line: string): Promise<void> => {
      lines.push(line);
      if (message !== undefined && line !== '.') return void message.push(line);
      if (message !== undefined) {
        messages.push(message.join('\r\n'));
        message = undefined;
        count++;
        const answer = await say('dot', line);
        if (!/^[45]/.test(answer) && recipient !== '') taken.push(recipient);
        return;
      }
      if (welcome !== null) {
        const challenge = asked.shift();
        if (challenge !== undefined) return ask(challenge);
        socket.write(`${welcome}\r\n`);
        welcome = null;
        return;
      }
      const verb = line.split(/[ :]/, 1)[0]?.toUpperCase() as SmtpVerb;
      const [first, ...others] = (verb === 'AUTH' && CHALLENGES[line.split(' ')[1]?.toUpperCase() ?? '']) || [];
      if (first !== undefined) {
        const answer = await answerTo(verb, line);
        if (!answer?.toString().startsWith('2')) return void (answer !== null && socket.write(`${answer}\r\n`));
        [welcome, asked] = [answer.toString(), others];
        return ask(first);
      }
      const answer = await say(verb, line);
      // A client that pipelines DATA ends it with an empty message if its recipient was refused (RFC 2920 §3.1).
      if (verb === 'RCPT') recipient = answer.startsWith('2') ? (/<([^>]*)>/.exec(line)?.[1] ?? '') : '';
      if (verb === 'DATA' && answer.startsWith('354')) message = [];
    };
    let work: Promise<unknown> = say('greeting', '');
    let rest = '';
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n');
      rest = parts.pop() ?? '';
      for (const line of parts) work = work.then(() => take(line));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    messages,
    taken,
    get connections() {
      return connections;
    },
    deviate(next) {
      deviations = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
