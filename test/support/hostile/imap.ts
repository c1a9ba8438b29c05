import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterFile } from '../after-file.ts';
import { answerTo, type Folder, type Session } from './imap-answers.ts';

/** A received command. `verb` has `UID FETCH` as one word; `folder` is the open one. */
export interface Command {
  tag: string;
  verb: string;
  args: string;
  folder: string | null;
  /** 1 for the first connection. */
  connection: number;
}

/** The answer to a command: text, nothing at all, or text after which the connection is cut. */
type Answer = string | null | { text: string; thenCut: true };

/** Changes the server's answer to a command. `honest` is the answer of a conforming server: untagged responses, then the tagged one. */
export type Deviation = (command: Command, honest: string) => Answer | Promise<Answer>;

export interface ImapProfile {
  greeting?: string;
  /** Before and after the login; LIST, STATUS and so on work whether they are announced or not. */
  capability?: string;
  namespace?: string;
  delimiter?: string;
  /** Beside INBOX, with their attributes, such as `\Junk`. */
  folders?: Readonly<Record<string, string>>;
  deviations?: readonly Deviation[];
}

export interface HostileImap {
  readonly port: number;
  readonly commands: Command[];
  readonly folders: ReadonlyMap<string, Folder>;
  /** True if a client waits for messages in an IDLE. */
  readonly idle: boolean;
  /** Puts a message into a folder and returns its UID. */
  deliver(raw: string, folder?: string): number;
  /** From now on applies these deviations, and those of the profile. */
  deviate(...deviations: readonly Deviation[]): void;
  /** Ends every IDLE with a tagged OK, as some servers do unasked. */
  endIdle(): void;
  close(): Promise<void>;
}

/**
 * Starts an IMAP server whose folders are in memory and whose every answer can be replaced, delayed, cut or repeated. Without deviations it
 * implements as much of RFC 3501 as a poll needs. It accepts every password.
 */
export async function startHostileImap(profile: ImapProfile = {}): Promise<HostileImap> {
  const folders = new Map<string, Folder>();
  const add = (name: string, attributes: string) =>
    void folders.set(name, { name, attributes, uidValidity: 1_000, uidNext: 1, messages: [] });
  add('INBOX', '');
  for (const [name, attributes] of Object.entries(profile.folders ?? {})) add(name, attributes);
  const commands: Command[] = [];
  const idlers = new Map<Socket, { tag: string; folder: string | null }>();
  const sockets = new Set<Socket>();
  let deviations: readonly Deviation[] = profile.deviations ?? [];
  let connections = 0;

  const say = async (socket: Socket, command: Command, honest: string): Promise<boolean> => {
    let answer: Answer = honest;
    for (const deviation of deviations) {
      if (typeof answer !== 'string') break;
      answer = await deviation(command, answer);
    }
    if (answer === null || socket.destroyed) return false;
    if (typeof answer === 'string') return socket.write(answer, 'latin1');
    socket.end(answer.text, 'latin1');
    return false;
  };

  const server = createServer((socket) => {
    const connection = ++connections;
    const session: Session = { profile, folders, open: null };
    let buffered = '';
    let work = Promise.resolve();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      idlers.delete(socket);
    });
    const take = async (line: string) => {
      if (/^DONE$/i.test(line)) {
        const idler = idlers.get(socket);
        idlers.delete(socket);
        if (idler !== undefined) socket.write(`${idler.tag} OK IDLE ended\r\n`);
        return;
      }
      const [, tag = '', name = '', args = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/is.exec(line) ?? [];
      const command = { tag, verb: name.toUpperCase(), args, folder: session.open, connection };
      commands.push(command);
      const isSaid = await say(socket, command, answerTo(session, command));
      if (command.verb === 'IDLE' && isSaid) idlers.set(socket, { tag, folder: session.open });
      if (command.verb === 'LOGOUT') socket.end();
    };
    socket.on('data', (chunk) => {
      const lines = (buffered + chunk.toString('latin1')).split('\r\n');
      buffered = lines.pop() ?? '';
      for (const line of lines) work = work.then(() => take(line));
    });
    const greeting = { tag: '*', verb: 'GREETING', args: '', folder: null, connection };
    void say(socket, greeting, `${profile.greeting ?? '* OK ready'}\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  afterFile(close);
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    folders,
    get idle() {
      return idlers.size > 0;
    },
    deliver(raw, name = 'INBOX') {
      const folder = folders.get(name);
      if (folder === undefined) throw new Error(`no folder ${name}`);
      const uid = folder.uidNext++;
      folder.messages.push({ uid, raw, at: new Date() });
      for (const [socket, idler] of idlers) if (idler.folder === name) socket.write(`* ${folder.messages.length} EXISTS\r\n`);
      return uid;
    },
    deviate(...more) {
      deviations = [...(profile.deviations ?? []), ...more];
    },
    endIdle() {
      for (const [socket, { tag }] of idlers) socket.write(`${tag} OK IDLE ended\r\n`);
      idlers.clear();
    },
    close,
  };
}
