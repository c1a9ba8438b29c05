import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import { connectInput } from '../../src/accounts/connect-request.ts';
import { connectAccount, openMailbox, openSmtpSession, testAccount } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import type { Network } from '../../src/core/network.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { createPoster } from '../../src/webhooks/index.ts';
import { afterFile } from '../support/after-file.ts';
import { testInstallation } from '../support/database.ts';
import { startHostileImap } from '../support/hostile/imap.ts';
import { member, workspace } from '../support/people.ts';
import { rowOf } from '../support/rows.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

/** Here 127.0.0.2 is the public internet, and 127.0.0.1 is what only this machine may reach. */
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';

/** The addresses that the name server gives, one after the other; the last one stays. */
let answers: string[] = [PUBLIC];
let asked = 0;
const network: Network = {
  async addressesOf() {
    asked++;
    return [{ address: (answers.length > 1 ? answers.shift() : answers[0]) ?? PUBLIC, family: 4 }];
  },
  isPublic: (address) => address === PUBLIC,
};

const { app: ordinary } = await testInstallation();
const app: App = { ...ordinary, network };
const workspaceId = await workspace(app);
const person = await member(app, 'admin', { workspaceId });
const caller: Caller = {
  actor: 'user',
  workspaceId,
  userId: person.id,
  role: 'admin',
  apiKeyId: person.keyId,
  ip: null,
  isInstallAdmin: false,
};
const smtp = await twoFaced((await startSmtpSink({ users: { me: 'secret' } })).port);
const imap = await twoFaced((await startHostileImap()).port);
const poller = new MailboxPoller(app);
afterAll(() => poller.close());

/** A mail server at the public address, and at the same port of the private one a service that counts who connects to it. */
async function twoFaced(behind: number): Promise<{ port: number; readonly intrusions: number }> {
  let intrusions = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => void sockets.add(socket.on('error', () => undefined));
  const service = createServer((socket) => {
    intrusions++;
    keep(socket);
    socket.end('SSH-2.0-internal-host-secret-banner\r\n');
  });
  await new Promise<void>((resolve) => service.listen(0, INSIDE, resolve));
  const { port } = service.address() as AddressInfo;
  const face = createServer((socket) => {
    const server = connect(behind, INSIDE);
    keep(server);
    keep(socket);
    socket.pipe(server).pipe(socket);
  });
  await new Promise<void>((resolve) => face.listen(port, PUBLIC, resolve));
  afterFile(async () => {
    for (const socket of sockets) socket.destroy();
    service.close();
    face.close();
  });
  return {
    port,
    get intrusions() {
      return intrusions;
    },
  };
}

const request = {
  email: 'me@rebind.example',
  provider: 'smtp' as const,
  smtp_url: `smtp://me:secret@mail.rebind.example:${smtp.port}?tls=off`,
  imap_url: `imap://me:secret@mail.rebind.example:${imap.port}?tls=off`,
};
const connectIt = async () => connectAccount(app, caller, await connectInput(app, caller, request), 5);

beforeEach(() => {
  answers = [PUBLIC];
});

/** docs/security.md: a manager's key can't "have requests sent to addresses of your network". */
describe('a name that leads to a public address when it is checked, and to a private one when it is connected to (CWE-918)', () => {
  it('is refused when an account is connected, and no word of the private service is told', async () => {
    answers = [PUBLIC, PUBLIC, INSIDE];
    const refusal = await connectIt().catch((error: Error) => error.message);
    expect(refusal).toMatch(/SMTP server .* is 127\.0\.0\.1: not an address of the public internet.* \| IMAP server .*not an address of/);
    expect(refusal).not.toContain('banner');
    answers = [INSIDE];
    await expect(connectIt()).rejects.toThrow('smtp_url: mail.rebind.example is not on the public internet');
    expect([smtp.intrusions, imap.intrusions]).toEqual([0, 0]);
  });

  it('is not said to be private when the name servers do not answer', async () => {
    const timedOut = Object.assign(new Error('queryA ETIMEOUT mail.rebind.example'), { code: 'ETIMEOUT' });
    const deaf: App = { ...app, network: { ...network, addressesOf: () => Promise.reject(timedOut) } };
    await expect(connectInput(deaf, caller, request)).rejects.toThrow(
      "smtp_url: the host name mail.rebind.example can't be resolved: queryA ETIMEOUT mail.rebind.example; check its spelling, or try again later",
    );
  });

  it('is refused at every later connection: tests, emails, polls, other readings', async () => {
    const { id } = await connectIt();
    const tested = await testAccount(app, caller, id, 5);
    expect([tested.smtp.problem, tested.imap?.problem]).toEqual([null, null]);
    expect(await poller.poll(id)).toMatchObject({});
    answers = [INSIDE];
    const again = await testAccount(app, caller, id, 5);
    expect(again.smtp.problem).toContain('not an address of the public internet');
    expect(again.imap?.problem).toContain('not an address of the public internet');
    expect(await openSmtpSession(app, id)).toMatchObject({
      kind: 'unsent',
      phase: 'connect',
      text: expect.stringContaining('public internet'),
    });
    await expect(openMailbox(app, id)).rejects.toThrow('not an address of the public internet');
    poller.close();
    await poller.poll(id);
    expect(await rowOf(app, 'accounts', id)).toMatchObject({
      poll_error: expect.stringContaining('not an address of the public internet'),
    });
    expect([smtp.intrusions, imap.intrusions]).toEqual([0, 0]);
  });

  it('is refused as the receiver of a webhook', async () => {
    answers = [INSIDE];
    const posted = await createPoster({ allowPrivate: false, network }).post(`https://hooks.rebind.example:${smtp.port}/`, {}, '{}');
    expect(posted).toMatchObject({ status: null, error: expect.stringContaining('is 127.0.0.1: not an address of the public internet') });
    expect(smtp.intrusions).toBe(0);
  });

  it('is looked up once for a connection, which takes the address that was checked', async () => {
    const { id } = await connectIt();
    answers = [PUBLIC, INSIDE];
    asked = 0;
    const session = await openSmtpSession(app, id);
    expect(session).not.toHaveProperty('kind');
    if ('close' in session) session.close();
    expect([asked, smtp.intrusions]).toEqual([1, 0]);
  });
});

it('an admin of the installation may connect a private server, which is remembered with the account', async () => {
  answers = [INSIDE];
  const { smtp: access } = await connectInput(app, { ...caller, isInstallAdmin: true }, request);
  expect(access.server).toMatchObject({ host: 'mail.rebind.example', private: true });
  answers = [PUBLIC];
  expect((await connectInput(app, { ...caller, isInstallAdmin: true }, request)).smtp.server).not.toHaveProperty('private');
});
