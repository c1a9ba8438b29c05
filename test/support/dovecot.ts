import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MailServer, ServerOptions } from './imap-server.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './smtp-sink.ts';
import { waitUntil } from './wait-until.ts';

/** Debian keeps servers out of an ordinary user's PATH. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin`;

/** True if Dovecot with IMAP is on this machine, and TEST_IMAP_SERVER does not select the other server. */
export const hasDovecot =
  process.env.TEST_IMAP_SERVER !== 'hoodiecrow' &&
  spawnSync('dovecot', ['--version'], { env: { PATH } }).status === 0 &&
  existsSync('/usr/lib/dovecot/imap');

/** Dovecot refuses mail access for root, so root runs all of it as `nobody`. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : { uid: userInfo().uid, gid: userInfo().gid };
const TRIES = 3;

export interface DovecotServer extends MailServer {
  /** Puts messages into a user's inbox as a delivery agent does, bypassing IMAP: fast enough for very many. */
  deliver(user: string, raws: Iterable<string>, receivedAt?: Date, folder?: 'INBOX' | 'Sent'): void;
  /** Kills the server and everything it runs (kill -9), and starts it again on the same port and mail. */
  killAndRestart(): Promise<void>;
}

let delivered = 0;

/** Starts a separate Dovecot from a private configuration in a temporary folder. */
export async function startDovecot(options: ServerOptions): Promise<DovecotServer> {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-imap-'));
  for (const directory of ['run', 'home']) mkdirSync(join(folder, directory));
  writeFileSync(join(folder, 'users'), usersFile(options.users));
  copyFileSync(TEST_CERTIFICATE_KEY, join(folder, 'key'));
  chmodSync(folder, 0o755);
  for (const path of ['', 'run', 'home', 'users', 'key']) chownSync(join(folder, path), OWNER.uid, OWNER.gid);
  const configuration = join(folder, 'dovecot.conf');
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    writeFileSync(configuration, configurationOf(folder, port, options.tls));
    // It leads its own process group, so that all of it can be killed.
    const run = () =>
      spawn('dovecot', ['-F', '-c', configuration], { ...OWNER, detached: true, env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] });
    let child = run();
    const endWithUs = () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', endWithUs);
    // Kills all its processes immediately: asked to stop, Dovecot takes a second.
    const kill = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    };
    try {
      await ready(child, port, join(folder, 'log'));
    } catch (error) {
      process.off('exit', endWithUs);
      // Another process may have taken the port in the meantime.
      if (attempt < TRIES) continue;
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    return {
      port,
      deliver(user, raws, receivedAt, mailbox = 'INBOX') {
        const maildir = join(folder, 'home', user, 'mail', mailbox === 'INBOX' ? '' : `.${mailbox}`);
        for (const path of ['new', 'cur', 'tmp']) mkdirSync(join(maildir, path), { recursive: true });
        for (const path of ['..', '', 'new', 'cur', 'tmp']) chownSync(join(maildir, path), OWNER.uid, OWNER.gid);
        for (const raw of raws) {
          const file = join(maildir, 'new', `${Math.floor(Date.now() / 1_000)}.M${++delivered}P${process.pid}.localhost`);
          writeFileSync(file, raw);
          chownSync(file, OWNER.uid, OWNER.gid);
          if (receivedAt !== undefined) utimesSync(file, receivedAt, receivedAt);
        }
      },
      async killAndRestart() {
        await kill();
        // Processes of the killed Dovecot may hold a socket for a moment, and a new one then refuses to start.
        for (let attempt = 1; ; attempt++) {
          child = run();
          try {
            await ready(child, port, join(folder, 'log'));
            return;
          } catch (error) {
            if (attempt === 10) throw error;
          }
        }
      },
      async renewUidValidity(user, mailbox) {
        const next = String(1 + Math.floor(Math.random() * 2 ** 31));
        await promisify(execFile)('doveadm', ['-c', configuration, 'mailbox', 'update', '--uid-validity', next, '-u', user, mailbox], {
          ...OWNER,
          env: { PATH },
        });
      },
      async close() {
        process.off('exit', endWithUs);
        await kill();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  }
}

const usersFile = (users: Record<string, string>) =>
  Object.entries(users)
    .map(([user, password]) => `${user}:{PLAIN.B64}${Buffer.from(password).toString('base64')}::::::\n`)
    .join('');

/** Everything runs as one unprivileged user, so nothing is chrooted and no user is switched to. */
function configurationOf(folder: string, port: number, tls: ServerOptions['tls']): string {
  const nameOf = (kind: 'u' | 'g') =>
    spawnSync('id', [`-n${kind}`, String(OWNER.uid)])
      .stdout.toString()
      .trim();
  const mailbox = (name: string) => `mailbox ${name} {\n auto = subscribe\n special_use = \\${name}\n}`;
  const listener = (name: string, listens: boolean) => `inet_listener ${name} {\n port = ${listens ? port : 0}\n}`;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${nameOf('u')}
default_internal_group = ${nameOf('g')}
default_login_user = ${nameOf('u')}
ssl = ${tls === undefined ? 'no' : 'required'}
ssl_cert = <${TEST_CERTIFICATE}
ssl_key = <${folder}/key
disable_plaintext_auth = no
auth_failure_delay = 0
mail_max_userip_connections = 0
mail_location = maildir:~/mail
first_valid_uid = 1
namespace inbox {
 inbox = yes
 ${['Sent', 'Junk', 'Trash', 'Drafts'].map(mailbox).join('\n')}
}
passdb {
 driver = passwd-file
 args = ${folder}/users
}
userdb {
 driver = static
 args = uid=${OWNER.uid} gid=${OWNER.gid} home=${folder}/home/%u
}
# Processes are kept for the next login: one of their own for each takes seven times as much of the processor.
service imap {
 process_limit = 2500
 service_count = 1000
}
service auth {
 client_limit = 6000
}
service anvil {
 chroot =
 client_limit = 6000
 # Else a wrong password makes the next login of this machine wait, up to fifteen seconds.
 unix_listener anvil-auth-penalty {
  mode = 0
 }
}
service imap-login {
 chroot =
 service_count = 0
 process_limit = 500
 ${listener('imap', tls !== 'implicit')}
 ${listener('imaps', tls === 'implicit')}
}
`;
}

async function ready(child: ChildProcess, port: number, log: string): Promise<void> {
  let complaint = '';
  child.stderr?.on('data', (text) => {
    complaint += text;
  });
  await waitUntil('Dovecot takes connections', () => {
    if (child.exitCode !== null) throw new Error(`Dovecot ended: ${complaint} ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
    return accepts(port);
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Finds a port of the loopback interface that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
