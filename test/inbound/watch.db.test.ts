import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { SECOND } from '../../src/core/clock.ts';
import { WORKER } from '../../src/core/worker.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller, MailboxWatch } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { startHostileImap } from '../support/hostile/imap.ts';
import { type ImapProxy, startImapProxy } from '../support/imap-proxy.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { dueMailboxes, mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const [ZOE, YAN] = ['zoe@example.com', 'yan@example.com'];
const DEADLINE = 60;
let installation: TestInstallation;
let app: App;
let server: ImapServer;
let proxy: ImapProxy;
let zoe = 0;
let yan = 0;
const watches: MailboxWatch[] = [];

beforeAll(async () => {
  installation = await testInstallation({ pollIntervalSeconds: 3_600 });
  app = installation.app;
  server = await startImapServer({ users: { [ZOE]: PASSWORD, [YAN]: PASSWORD } });
  proxy = await startImapProxy(server.port);
  zoe = await mailboxAccount(app, proxy.port, ZOE, { last_batch_at: installation.clock.now() });
  yan = await mailboxAccount(app, proxy.port, YAN, { last_batch_at: new Date(installation.clock.now().getTime() - 60 * SECOND) });
});
afterAll(async () => {
  await proxy?.close();
  await server?.close();
});
beforeEach(() => {
  proxy.commands.length = 0;
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
});

function watch(idleConnections: number): MailboxWatch {
  const started = new MailboxWatch({ ...app, config: { ...app.config, idleConnections } }, new MailboxPoller(app));
  watches.push(started);
  started.start();
  return started;
}

const idles = () => proxy.commands.filter((command) => /^IDLE/i.test(command)).length;
const idling = (count: number) => waitUntil(`${count} mailboxes are watched`, () => idles() === count, DEADLINE);
const watched = () =>
  app.db
    .query<{ id: number; idle_worker: string }>(sql`select id, idle_worker from accounts where idle_lease_until > now() order by id`)
    .then((rows) => rows.map(({ id, idle_worker: worker }) => [id, worker]));
const hasReplied = async (enrolmentId: number) => (await rowOf<{ status: string }>(app, 'enrolments', enrolmentId)).status === 'replied';

describe('IDLE, a hint', () => {
  it('a reply is seen at once, long before the mailbox is due, and more than one', async () => {
    const [first, second] = [await sentMail(installation, zoe), await sentMail(installation, zoe)];
    await new MailboxPoller(app).poll(zoe);
    expect(await dueMailboxes(app)).not.toContain(zoe);
    watch(2);
    await idling(2);
    await server.append(ZOE, 'INBOX', reply(first));
    await waitUntil('the first reply is seen', () => hasReplied(first.enrolmentId), DEADLINE);
    await server.append(ZOE, 'INBOX', reply(second));
    await waitUntil('the second reply is seen', () => hasReplied(second.enrolmentId), DEADLINE);
    expect(proxy.commands.filter((command) => /^(UID )?(SELECT|STORE|EXPUNGE)/i.test(command))).toEqual([]);
  });

  it('no more connections than the setting allows: who sent mail last comes first; 0 is none', async () => {
    watch(0);
    watch(1);
    await idling(1);
    expect(await watched()).toEqual([[zoe, WORKER]]);
  });

  it('a mailbox is watched by one daemon; what it gives back, or leaves when it dies, another takes', async () => {
    await app.db.query(sql`update accounts set idle_worker = 'other', idle_lease_until = now() + interval '1 minute' where id = ${zoe}`);
    const here = watch(2);
    await idling(1);
    expect(await watched()).toEqual([
      [zoe, 'other'],
      [yan, WORKER],
    ]);
    await here.stop();
    expect(await watched()).toEqual([[zoe, 'other']]);
    await app.db.query(sql`update accounts set idle_lease_until = now() - interval '1 second' where id = ${zoe}`);
    watch(2);
    await idling(3);
    expect(await watched()).toEqual([
      [zoe, WORKER],
      [yan, WORKER],
    ]);
  });

  it('a server that can not be reached is left alone, and the poll goes on noting why', async () => {
    const lost = await mailboxAccount(app, 1, 'lost@example.com', { last_batch_at: installation.clock.now() });
    watch(3);
    await idling(2);
    await waitUntil('the lease is given back', async () => !(await watched()).some(([id]) => id === lost), DEADLINE);
    await new MailboxPoller(app).poll(lost);
    expect(await rowOf(app, 'accounts', lost)).toMatchObject({ poll_error: expect.stringMatching(/ECONNREFUSED/) });
    await app.db.query(sql`update accounts set is_archived = true where id = ${lost}`);
  });

  it('goes on where the server ends an IDLE by itself with OK, and what came meanwhile is read', async () => {
    const hostile = await startHostileImap();
    const ida = await mailboxAccount(app, hostile.port, 'ida@example.com', { last_batch_at: installation.clock.now() });
    watch(5);
    await waitUntil('it idles', () => hostile.idle || undefined, DEADLINE);
    const mail = await sentMail(installation, ida);
    hostile.endIdle();
    hostile.deliver(reply(mail));
    await waitUntil('the reply is seen', () => hasReplied(mail.enrolmentId), DEADLINE);
    await waitUntil('it idles again', () => hostile.idle || undefined, DEADLINE);
  });
});
