import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { WORKER } from '../../src/core/worker.ts';
import { announceDaemon, drainOthers, listDaemons, refuseDaemons, withPublicUrl } from '../../src/daemons/index.ts';
import { migrateDown, migrateUp, migrationStatus } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { startDaemon } from '../../src/main/daemon.ts';
import { migrate } from '../../src/main/migrate.ts';
import { readStatus } from '../../src/monitoring/status.ts';
import { claimEmails } from '../../src/sending/email/claim.ts';
import { recordAcceptedEmails } from '../../src/sending/email/record-outcome.ts';
import { recoverOutbox } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { insertAccount } from '../support/rows.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';
import { waitUntil } from '../support/wait-until.ts';

const { installation, sink } = await sendingInstallation();
const { app } = installation;
const names = async () => (await listDaemons(app.db)).map(({ worker }) => worker);

/** A daemon on another machine, last heard of that many seconds ago. */
async function daemonElsewhere(worker: string, silence = 0): Promise<string> {
  await app.db.query(sql`
    insert into daemons (worker, host, pid, version, roles, started_at, seen_at)
    values (${worker}, 'elsewhere', 1, '1.0.0', '{worker}', now(), now() - make_interval(secs => ${silence}))`);
  return worker;
}

const forgetAll = () => app.db.query(sql`delete from daemons`);

it('lists the daemons that run, with what they do, until they end', async () => {
  const daemon = await announceDaemon(app, '1.2.3', ['api', 'worker']);
  const listed = { worker: WORKER, host: hostname(), pid: process.pid, version: '1.2.3', roles: ['api', 'worker'] };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect((await readStatus(app)).daemons).toEqual([{ ...listed, started_at: time, seen_at: time }]);
  await daemon.end();
  expect(await names()).toEqual([]);
});

it('what only the environment of a daemon says of the public address, commands take from it while it runs', async () => {
  const unset = { ...app.config, baseUrl: 'http://127.0.0.1:8025', publicUrl: null };
  const known = async (config: typeof app.config = unset) => (await withPublicUrl(app.db, config)).publicUrl;
  expect(await known()).toBeNull();
  const daemon = await announceDaemon({ ...app, config: { ...unset, publicUrl: 'https://go.acme.example' } }, '1.2.3', ['api']);
  expect(await withPublicUrl(app.db, unset)).toEqual({
    ...unset,
    baseUrl: 'https://go.acme.example',
    publicUrl: 'https://go.acme.example',
  });
  expect(await known({ ...unset, publicUrl: 'https://own.acme.example' })).toBe('https://own.acme.example');
  await daemon.end();
  expect(await known()).toBeNull();
});

it("a silent daemon's accounts are taken over, those of one that is heard are not, wherever they run", async () => {
  const held = async (worker: string) => {
    const id = await insertAccount(app, { email: `${worker.replaceAll(':', '-')}@example.com` });
    await app.db.query(sql`
      update accounts set batch_worker = ${worker}, batch_lease_until = now() + interval '2 min', poll_worker = ${worker},
        poll_lease_until = now() + interval '5 min' where id = ${id}`);
    return id;
  };
  const silent = await held(await daemonElsewhere('elsewhere:1:5:aaaaaaaa', 31));
  const heard = await held(await daemonElsewhere('elsewhere:1:7:bbbbbbbb', 20));
  expect(await names()).toEqual(['elsewhere:1:7:bbbbbbbb']);
  await recoverOutbox(app, { wasFetched, wasAnswered });
  const accounts = await app.db.query(sql`
    select id, batch_worker, poll_worker from accounts where id in (${silent}, ${heard}) order by id`);
  expect(accounts).toEqual([
    { id: silent, batch_worker: null, poll_worker: null },
    { id: heard, batch_worker: 'elsewhere:1:7:bbbbbbbb', poll_worker: 'elsewhere:1:7:bbbbbbbb' },
  ]);
  await forgetAll();
});

it("a server's late 250 is a proof: an email that was given up meanwhile counts as sent, once", async () => {
  const { accountId, campaignId } = await startSender(installation, sink, { steps: [{}, {}] });
  const window = { timezone: 'UTC', startHour: 0, endHour: 24, days: null };
  const allocation = { campaignId, count: 1, groups: [{ isB: false, zones: null, window, due: 1, nextDue: null }] };
  const [email] = await claimEmails(app, {
    account: { id: accountId, email: 'sender@example.com', hasRefusedFollowUp: false },
    allocation,
  });
  if (email === undefined) throw new Error('nothing was claimed');
  // As another daemon leaves it that took this one for dead, and a person's decision has not come yet.
  await app.db.query(sql`
    update outbox set state = 'unknown', worker = null, lease_until = null, transmitting_at = ${app.clock.now()}, attempt = attempt + 1
    where id = ${email.id}`);
  const outcome = { kind: 'accepted', response: '250 2.0.0 Ok: queued as 4WZ', serverMessageId: null, refused: [] } as const;
  const read = async () => {
    const [row] = await app.db.query(sql`
      select o.state, e.current_step, (select count(*)::int from events v where v.enrolment_id = e.id and v.type = 'sent') as sent
      from outbox o join enrolments e on e.id = o.enrolment_id where o.id = ${email.id}`);
    return row;
  };
  const acceptance = { email, subject: 'Hello', at: app.clock.now(), outcome };
  for (const _ of ['the answer', 'the answer recorded again']) {
    await recordAcceptedEmails(app, [acceptance]);
    expect(await read()).toEqual({ state: 'accepted', current_step: 2, sent: 1 });
  }
});

it('a migration is refused under a daemon that would not know what it changes, and waits for one that is asked to drain', async () => {
  const newest = await migrateDown(app);
  await daemonElsewhere('elsewhere:1:9:cccccccc');
  await expect(refuseDaemons(app.db, 'stop it')).rejects.toThrow('process 1 on elsewhere, version 1.0.0); stop it');
  await expect(migrate(app)).rejects.toThrow(
    'a daemon is using this database (process 1 on elsewhere, version 1.0.0); stop it first, with: outreach stop',
  );
  const isPending = async () => (await migrationStatus(app)).pending.length > 0;
  await expect(drainOthers(app.db, 2, async () => undefined, isPending)).rejects.toThrow(
    'the daemon 1 on elsewhere did not end within 2 s',
  );
  expect((await migrationStatus(app)).pending).toEqual([newest]);
  const asked: unknown[] = [];
  const end = async () => void asked.push(...(await app.db.query(sql`delete from daemons returning drain_asked`)));
  await drainOthers(app.db, 2, end, isPending);
  expect(asked).toEqual([{ drain_asked: true }]);

  // One that starts between the last look and the migration, and one that waits for the migration.
  const late = () => daemonElsewhere('elsewhere:1:11:dddddddd');
  await expect(migrateUp(app, async () => void (await late().then(() => refuseDaemons(app.db))))).rejects.toThrow('a daemon is using');
  expect((await migrationStatus(app)).pending).toEqual([newest]);
  await forgetAll();
  expect(await migrate(app)).toEqual([newest]);
});

it('of two new versions that wait for the others to drain, the one that is later leaves the first alone', async () => {
  const newest = await migrateDown(app);
  await daemonElsewhere('elsewhere:1:13:eeeeeeee');
  const first = 'elsewhere:1:15:ffffffff';
  const migrateFirst = async () => {
    await forgetAll();
    expect(await migrate(app)).toEqual([newest]);
    await daemonElsewhere(first);
  };
  await drainOthers(app.db, 2, migrateFirst, async () => (await migrationStatus(app)).pending.length > 0);
  expect(await app.db.query(sql`select worker, drain_asked from daemons`)).toEqual([{ worker: first, drain_asked: false }]);
  await forgetAll();
});

it('a daemon that starts while a newer version migrates waits for it, and is refused', async () => {
  const lock = await app.db.pool.connect();
  await lock.query('begin');
  await lock.query('select pg_advisory_xact_lock(4891022)');
  await lock.query("insert into mikro_orm_migrations (name) values ('9001-next')");
  const starting = startDaemon(app, { databaseUrl: installation.databaseUrl });
  starting.then((daemon) => daemon.stop()).catch(() => undefined);
  await waitUntil('it waits for the migration', async () => {
    const waiting = await app.db.query(sql`
      select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and not l.granted`);
    return waiting.length > 0;
  });
  await lock.query('commit');
  lock.release();
  await expect(starting).rejects.toThrow('the database is newer than this program (it has 9001-next)');
  await app.db.query(sql`delete from mikro_orm_migrations where name = '9001-next'`);
});
