import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Clock } from '../core/clock.ts';
import { createHoodiecrow, type Hoodiecrow } from './hoodiecrow.ts';

/** An email that the demo's SMTP server accepted for one recipient. */
export interface Delivered {
  to: string;
  raw: Buffer;
}

export interface MailServers {
  readonly smtpPort: number;
  readonly imapPort: number;
  /** Appends a message to the INBOX. */
  deliver(raw: string): void;
  close(): Promise<void>;
}

export const MAILBOX = { user: 'mia@outreach.example', password: 'demo' };

/**
 * Starts an SMTP and an IMAP server for one account, on free ports of the loopback interface. No email leaves the machine: the
 * SMTP server passes each one to `onEmail`, and rejects the recipients for which `refuses` returns a reply.
 */
export async function startMailServers(
  clock: Clock,
  refuses: (address: string) => { code: number; text: string } | null,
  onEmail: (email: Delivered) => void,
): Promise<MailServers> {
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, answer) =>
      username === MAILBOX.user && password === MAILBOX.password ? answer(null, { user: username }) : answer(new Error('wrong password')),
    onRcptTo({ address }, _session, answer) {
      const refusal = refuses(address);
      if (refusal === null) answer();
      else answer(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, session, answer) {
      buffer(stream).then(
        (raw) => {
          for (const { address } of session.envelope.rcptTo) onEmail({ to: address, raw });
          answer();
        },
        (error: Error) => answer(error),
      );
    },
  });
  // Clients that close the connection are not the server's problem.
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const imap = await startImap();
  return {
    smtpPort: (smtp.server.address() as AddressInfo).port,
    imapPort: (imap.server.address() as AddressInfo).port,
    deliver: (raw) => imap.appendMessage('INBOX', [], clock.now(), raw),
    async close() {
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      await new Promise<void>((resolve) => imap.close(resolve));
    },
  };
}

async function startImap(): Promise<Hoodiecrow> {
  const imap = createHoodiecrow({
    users: { [MAILBOX.user]: { password: MAILBOX.password } },
    folders: ['Sent', 'Junk'],
    plugins: ['AUTH-PLAIN', 'SASL-IR', 'ID', 'IDLE', 'ENABLE', 'UNSELECT', 'NAMESPACE', 'SPECIAL-USE', 'LITERALPLUS'],
  });
  imap.server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => imap.listen(0, '127.0.0.1', resolve));
  return imap;
}
