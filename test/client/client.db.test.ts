import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { eachEvent } from '../../src/client/feed.ts';
import { eachRecord } from '../../src/client/pages.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { eventOf, insertCampaign, insertEnrolment } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

const { app, url, adminKey } = await servedInstallation();
const client = createClient({ url, key: adminKey, retries: 1 });

const post = async (procedure: string, key: string, input: object) => {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', 'idempotency-key': key };
  const answer = await fetch(`${url}/trpc/${procedure}`, { method: 'POST', headers, body: JSON.stringify(input) });
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  return { status: answer.status, body: (await answer.json()) as any };
};
const contacts = async (email: string) => app.db.query(sql`select id from contacts where email = ${email}`);

describe('a mutation with an Idempotency-Key, at /trpc', () => {
  it('is handled once, and a repetition gets the first result', async () => {
    const first = await post('contacts.create', 'one', { email: 'ada@example.org' });
    expect(first).toMatchObject({ status: 200, body: { result: { data: { email: 'ada@example.org' } } } });
    expect(await post('contacts.create', 'one', { email: 'ada@example.org' })).toEqual(first);
    expect(await contacts('ada@example.org')).toHaveLength(1);
    const { id } = first.body.result.data;
    expect(await post('contacts.delete', 'gone', { id })).toEqual(await post('contacts.delete', 'gone', { id }));
  });

  it('is refused with another input, changes nothing if it fails, and may be tried again', async () => {
    await post('contacts.create', 'two', { email: 'bob@example.org' });
    expect(await post('contacts.create', 'two', { email: 'eve@example.org' })).toMatchObject({ status: 409 });
    expect(await contacts('eve@example.org')).toEqual([]);
    expect(await post('contacts.create', 'three', { email: 'no address' })).toMatchObject({ status: 400 });
    expect(await post('contacts.create', 'three', { email: 'eve@example.org' })).toMatchObject({ status: 200 });
  });

  it('is refused in a batch, whose calls would share the key, and with a key that is none', async () => {
    const batch = { 0: { email: 'x@example.org' }, 1: { email: 'y@example.org' } };
    expect(await post('contacts.create,contacts.create?batch=1', 'four', batch)).toMatchObject({ status: 400 });
    expect(await contacts('x@example.org')).toEqual([]);
    expect(await post('contacts.create', 'x'.repeat(256), { email: 'z@example.org' })).toMatchObject({ status: 400 });
  });

  it('is carried out once when the server dies before the answer is read, as the client repeats it', async () => {
    const created = await client.contacts.create.mutate({ email: 'ida@example.org' }, { context: { idempotencyKey: 'five' } });
    const again = await client.contacts.create.mutate({ email: 'ida@example.org' }, { context: { idempotencyKey: 'five' } });
    expect(again).toEqual(created);
  });
});

describe('the generators of the client', () => {
  it('eachRecord yields every record of a list of several pages, in order', async () => {
    const emails = Array.from({ length: 430 }, (_, index) => ({ email: `many-${String(index).padStart(3, '0')}@example.org` }));
    await client.contacts.batch.mutate({ contacts: emails, update: false });
    const found = await Array.fromAsync(eachRecord((page) => client.contacts.list.query({ q: 'many-', ...page })));
    expect(found.map(({ email }) => ({ email }))).toEqual(emails);
  });

  it('eachEvent yields each event once, in order, then those that happen, from where it is told, until it is aborted', async () => {
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    const record = (count: number) =>
      app.db.tx((tx) =>
        recordEvents(
          tx,
          Array.from({ length: count }, () => eventOf(app, enrolment, 'opened')),
        ),
      );
    await record(250);
    const ended = new AbortController();
    const seen: number[] = [];
    for await (const { id } of eachEvent(client, { campaign_id: enrolment.campaignId, signal: ended.signal, milliseconds: 5 })) {
      seen.push(id);
      if (seen.length === 250) await record(3);
      if (seen.length === 253) ended.abort();
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(seen).toHaveLength(253);
    for await (const { id } of eachEvent(client, { campaign_id: enrolment.campaignId, after_id: seen[249] ?? 0 })) {
      expect(id).toBe(seen[250]);
      break;
    }
  });
});
