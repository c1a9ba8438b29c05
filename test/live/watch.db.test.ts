import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/index.ts';
import { createApi, openStream } from '../../src/dashboard/connection.ts';
import { recordEvents } from '../../src/events/index.ts';
import type { Push } from '../../src/live/index.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';
import { eventOf, insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let daemon: Daemon;
const open: { close(): void }[] = [];

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
});
afterAll(async () => {
  for (const stream of open) stream.close();
  await daemon?.stop();
});

/** Opens a stream with a key and gathers what it brings. */
function follow(key: string) {
  const pushes: Push[] = [];
  const lost: string[] = [];
  const stream = openStream(createApi({ url: daemon.url ?? '', key }), {
    onPush: (push) => pushes.push(push),
    onLost: (reason) => lost.push(reason),
  });
  open.push(stream);
  return {
    pushes,
    lost,
    close: () => stream.close(),
    events: () => pushes.flatMap((push) => push.events.events),
    campaigns: () => pushes.flatMap((push) => push.changes?.campaigns.rows ?? []),
  };
}

const record = (...events: Parameters<typeof recordEvents>[1]) => installation.app.db.tx((tx) => recordEvents(tx, events));

describe('a watcher is told what happens as it happens', () => {
  it('the first push carries everything; later ones only what changed', async () => {
    const { app, adminKey } = installation;
    const campaign = await insertCampaign(app, { name: 'Watched' });
    const stream = follow(adminKey);
    await waitUntil('the first push', () => stream.pushes.length > 0);
    expect(stream.pushes[0]).toMatchObject({ is_first: true, now: '2026-07-07 12:00:00' });
    expect(stream.campaigns().map((line) => line.name)).toContain('Watched');
    await waitUntil('a push with nothing to tell', () => stream.pushes.some((push) => !push.is_first && push.changes !== null));
    expect(stream.pushes.at(-1)?.changes?.campaigns).toEqual({ rows: [], gone: [] });

    await app.db.pool.query('update campaigns set name = $1 where id = $2', ['Renamed', campaign]);
    await waitUntil('the new name', () => stream.campaigns().some((line) => line.name === 'Renamed'));
    await app.db.pool.query('update campaigns set deleted_at = now() where id = $1', [campaign]);
    await waitUntil('that it is gone', () => stream.pushes.some((push) => push.changes?.campaigns.gone.includes(campaign)));
    stream.close();
  });

  it('each event is pushed once, with the names of campaign and contact, and with the words of a reply', async () => {
    const { app, adminKey } = installation;
    const campaign = await insertCampaign(app, { name: 'Eventful' });
    const enrolment = await insertEnrolment(app, campaign, {
      contact_id: await insertContact(app, { name: 'Ada', email: 'ada@example.org' }),
    });
    const stream = follow(adminKey);
    await waitUntil('the first push', () => stream.pushes.length > 0);
    await record(eventOf(app, enrolment, 'sent'));
    await record(eventOf(app, enrolment, 'replied', { details: { snippet: 'Yes, please.' } }));
    await waitUntil('both events', () => stream.events().length >= 2);
    await waitUntil('two more looks at the log', () => stream.pushes.length >= 6);
    expect(stream.events()).toMatchObject([
      { type: 'sent', campaign_name: 'Eventful', contact_name: 'Ada', contact_email: 'ada@example.org', snippet: null },
      { type: 'replied', snippet: 'Yes, please.' },
    ]);
    stream.close();
  });

  it('an event whose transaction commits after that of a later number is not lost', async () => {
    const { app, adminKey } = installation;
    const campaign = await insertCampaign(app, { name: 'Late' });
    const [early, later] = [await insertEnrolment(app, campaign), await insertEnrolment(app, campaign)];
    const stream = follow(adminKey);
    await waitUntil('the first push', () => stream.pushes.length > 0);
    const before = stream.events().length;
    const logged = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const open = app.db.tx(async (tx) => {
      await recordEvents(tx, [eventOf(app, early, 'opened')]);
      logged.resolve();
      await end.promise;
    });
    await logged.promise;
    const pushes = stream.pushes.length;
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, later, 'clicked')]));
    // Its campaign's numbers are pushed at once; the event itself waits for the one before it.
    await waitUntil('a push after the later one', () => stream.pushes.length > pushes);
    expect(stream.events()).toHaveLength(before);
    end.resolve();
    await open;
    await waitUntil('both', () => stream.events().length === before + 2);
    stream.close();
  });
});

describe('a stream has the rights of its key', () => {
  it("another workspace's rows and events, and hidden ones, are not pushed", async () => {
    const { app } = installation;
    const other = await workspace(app);
    const outsider = await member(app, 'admin', { workspaceId: other });
    const reader = await member(app, 'view_only');
    const hidden = await insertCampaign(app, { name: 'Hidden', is_shared_to_all: false });
    const enrolment = await insertEnrolment(app, hidden);
    const [foreign, blind] = [follow(outsider.key), follow(reader.key)];
    await waitUntil('both are open', () => foreign.pushes.length > 0 && blind.pushes.length > 0);
    await record(eventOf(app, enrolment, 'opened'));
    await waitUntil('looks at the log', () => foreign.pushes.length >= 4 && blind.pushes.length >= 4);
    expect(foreign.events()).toEqual([]);
    expect(foreign.campaigns()).toEqual([]);
    expect(blind.events().filter((event) => event.campaign_id === hidden)).toEqual([]);
    expect(blind.campaigns().map((line) => line.name)).not.toContain('Hidden');
    foreign.close();
    blind.close();
  });

  it('a revoked key ends its stream, and does not open another', async () => {
    const { app, caller } = installation;
    const person = await member(app, 'manager');
    const stream = follow(person.key);
    await waitUntil('the first push', () => stream.pushes.length > 0);
    await revokeKey(app, caller, person.keyId);
    await waitUntil('the end', () => stream.lost.length > 0);
    const { length } = stream.pushes;
    await waitUntil('a second refusal', () => stream.lost.length > 1);
    expect(stream.pushes).toHaveLength(length);
    stream.close();
  });
});

describe('a stream outlives its connection', () => {
  it('the drain of a daemon ends the stream at once; it comes back with the next one', async () => {
    const { app, adminKey, databaseUrl } = installation;
    const first = await startDaemon(app, { worker: false, databaseUrl });
    const port = Number(new URL(first.url ?? '').port);
    const pushes: Push[] = [];
    const lost: string[] = [];
    const stream = openStream(createApi({ url: first.url ?? '', key: adminKey }), {
      onPush: (push) => pushes.push(push),
      onLost: (reason) => lost.push(reason),
    });
    open.push(stream);
    await waitUntil('the first push', () => pushes.length > 0);
    await first.stop();
    await waitUntil('the loss', () => lost.length > 0);
    const again = await startDaemon({ ...app, config: { ...app.config, port } }, { worker: false, databaseUrl });
    await waitUntil('everything anew', () => pushes.filter((push) => push.is_first).length > 1);
    stream.close();
    await again.stop();
  });
});
