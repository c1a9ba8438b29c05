import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { DAY, HOUR, type ManualClock, MINUTE, SECOND } from '../../src/core/clock.ts';
import { INTERNET } from '../../src/core/network.ts';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents, pastEventMessages, recordEvents } from '../../src/events/index.ts';
import {
  changeWebhook,
  createPoster,
  createWebhook,
  type DeliveryRow,
  deleteWebhook,
  deliverWebhook,
  dueWebhooks,
  getWebhook,
  listDeliveries,
  pruneDeliveries,
  redeliver,
  replay,
  rotateWebhookSecret,
  testWebhook,
} from '../../src/webhooks/index.ts';
import { testInstallation } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Enrolled, eventOf, insertCampaign, insertEnrolment } from '../support/rows.ts';

let app: App;
let clock: ManualClock;
let who: Enrolled;
const caller = operator(1);
const running = new AbortController().signal;
const poster = createPoster({ allowPrivate: true, network: INTERNET });

beforeAll(async () => {
  ({ app, clock } = await testInstallation({ webhooksAllowPrivate: true }));
  who = await insertEnrolment(app, await insertCampaign(app));
});

const record = (count = 1) =>
  app.db.tx((tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, () => eventOf(app, who, 'bounced')),
    ),
  );
const deliver = (id: number, by = poster) => deliverWebhook(app, by, id, running);
const state = (id: number) => getWebhook(app.db, caller, id);
const log = async (id: number): Promise<DeliveryRow[]> =>
  (await listDeliveries(app.db, caller, id, {}, { limit: 200, offset: 0 })).data.reverse();
const waitsFor = (delivery: DeliveryRow | undefined) =>
  Date.parse(`${delivery?.next_attempt_at?.replace(' ', 'T')}Z`) - clock.now().getTime();

/** A webhook to a receiver, with one message waiting; every other webhook is off, so that nothing else is due. */
async function waiting(url: string, messages = 1) {
  await app.db.query(sql`update webhooks set is_enabled = false`);
  const { id, secret } = await createWebhook(app, caller, { url });
  await record(messages);
  return { id, secret };
}

describe('A delivery', () => {
  it('is signed as Standard Webhooks asks: the library verifies it, and refuses it when a byte differs', async () => {
    const receiver = await startReceiver();
    const { id, secret } = await waiting(receiver.url);
    clock.set(new Date());
    expect(await deliver(id)).toBe(1);
    const [message] = receiver.received;
    const headers = message?.headers as Record<string, string>;
    const verifier = new Verifier(secret);
    const body = verifier.verify(message?.body ?? '', headers) as Record<string, unknown>;
    expect(() => verifier.verify(`${message?.body} `, headers)).toThrow();
    expect(() => new Verifier('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD').verify(message?.body ?? '', headers)).toThrow();
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'outreach-webhooks/1', 'webhook-id': body.id });
    expect(body).toMatchObject({ id: expect.stringMatching(/^msg_[0-9a-f]{32}$/), type: 'event.bounced', workspace_id: 1 });
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('carries in data.event the very bytes of GET /events', async () => {
    const receiver = await startReceiver();
    await deliver((await waiting(receiver.url)).id);
    const { data } = await listEvents(app.db, caller, { contactId: who.contactId }, { limit: 1, offset: 0 });
    expect(receiver.received[0]?.body).toContain(`"event":${JSON.stringify(data[0])}`);
  });

  it('2xx ends it; the log keeps status, time and the beginning of the answer', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(201).end('thanks'));
    const { id } = await waiting(receiver.url);
    await deliver(id);
    expect(await log(id)).toEqual([
      expect.objectContaining({
        status: 'delivered',
        attempts: 1,
        response_status: 201,
        response: 'thanks',
        error: null,
        next_attempt_at: null,
      }),
    ]);
    expect(await state(id)).toMatchObject({ last_success_at: expect.any(String), last_failure_at: null, consecutive_failures: 0 });
    expect(await deliver(id)).toBe(0);
  });

  it('connections are kept: 200 messages take a few', async () => {
    const receiver = await startReceiver();
    const { id } = await waiting(receiver.url, 200);
    expect(await deliver(id)).toBe(200);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
    expect(new Set(receiver.received.map(({ port }) => port)).size).toBeLessThanOrEqual(20);
  });

  it('rotation: for 24 hours both secrets verify, then the new one alone', async () => {
    const receiver = await startReceiver();
    const { id, secret: old } = await waiting(receiver.url);
    clock.set(new Date());
    const { secret } = await rotateWebhookSecret(app, caller, id);
    await deliver(id);
    const verifies = (key: string, { headers, body } = receiver.received.at(-1) as Receiver['received'][0]) => {
      try {
        new Verifier(key).verify(body, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    expect([verifies(old), verifies(secret)]).toEqual([true, true]);
    clock.advance(DAY);
    await record();
    await deliver(id);
    const [, signature] = String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ');
    expect(signature).toBeUndefined();
    expect(await app.db.query(sql`select 1 from webhooks where id = ${id} and secret like '%whsec%'`)).toEqual([]);
  });
});

describe('A receiver that fails', () => {
  it.each([
    [500, 'answered 500'],
    [404, 'answered 404'],
    [400, 'answered 400'],
  ])('%i is tried again after about 5 s, then 5 min, under the same webhook-id', async (status, error) => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(status).end('no'));
    const { id } = await waiting(receiver.url);
    await deliver(id);
    const [first] = await log(id);
    expect(first).toMatchObject({ status: 'pending', attempts: 1, response_status: status, response: 'no', error });
    expect(waitsFor(first)).toBeGreaterThan(2 * SECOND);
    expect(waitsFor(first)).toBeLessThanOrEqual(6 * SECOND);
    expect(await deliver(id)).toBe(0);
    clock.advance(7 * SECOND);
    expect((await dueWebhooks(app, roomFor(20))).map(({ id }) => id)).toEqual([id]);
    await deliver(id);
    const [second] = await log(id);
    expect(waitsFor(second)).toBeGreaterThanOrEqual(4 * MINUTE - SECOND);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
    expect(await state(id)).toMatchObject({ consecutive_failures: 2, last_failure_at: expect.any(String) });
  });

  it('a redirect is never followed', async () => {
    const [receiver, other] = [await startReceiver(), await startReceiver()];
    receiver.answer((res) => res.writeHead(307, { location: other.url }).end());
    const { id } = await waiting(receiver.url);
    await deliver(id);
    expect((await log(id))[0]).toMatchObject({ status: 'pending', response_status: 307 });
    expect(other.received).toEqual([]);
  });

  it('429 and 503: nothing is sent to it before Retry-After is over', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(429, { 'retry-after': '600' }).end());
    const { id } = await waiting(receiver.url, 30);
    await deliver(id);
    expect(receiver.received).toHaveLength(10);
    expect(waitsFor((await log(id))[0])).toBeGreaterThan(10 * MINUTE - SECOND);
    clock.advance(9 * MINUTE);
    expect((await dueWebhooks(app, roomFor(20))).map(({ id }) => id)).toEqual([]);
    expect(await deliver(id)).toBe(0);
    receiver.answer((res) => res.writeHead(200).end());
    clock.advance(MINUTE);
    expect(await deliver(id)).toBe(30);
    expect((await log(id)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('410 turns it off at once, in the history and with the reason; what waits goes out when it is turned on again', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(410).end());
    const { id } = await waiting(receiver.url);
    await deliver(id);
    expect(await state(id)).toMatchObject({ is_enabled: false, disabled_reason: 'the receiver returned 410 Gone' });
    const [row] = await app.db.query(
      sql`select actor, action from audit_log where resource_type = 'webhook' and resource_id = ${id} order by id desc limit 1`,
    );
    expect(row).toEqual({ actor: 'system', action: 'webhook.disable' });
    clock.advance(HOUR);
    expect((await dueWebhooks(app, roomFor(20))).map(({ id }) => id)).toEqual([]);
    receiver.answer((res) => res.writeHead(200).end());
    await changeWebhook(app, caller, id, { is_enabled: true });
    expect(await deliver(id)).toBe(1);
    expect(await state(id)).toMatchObject({ is_enabled: true, disabled_reason: null, consecutive_failures: 0 });
  });

  it('after ten tries a message has failed; it can be delivered again', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(500).end());
    const { id } = await waiting(receiver.url);
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await deliver(id)).toBe(1);
      clock.advance(30 * HOUR);
    }
    const [failed] = await log(id);
    expect(failed).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
    expect(await deliver(id)).toBe(0);
    receiver.answer((res) => res.writeHead(200).end());
    expect(await redeliver(app, caller, failed?.id ?? 0)).toMatchObject({ status: 'pending', attempts: 0 });
    await deliver(id);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await log(id))[0]).toMatchObject({ status: 'delivered' });
  });

  it('five days without one success and 20 failures turn it off; a success in between does not', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(500).end());
    const { id } = await waiting(receiver.url, 5);
    for (let day = 0; day < 5; day++) {
      await deliver(id);
      clock.advance(DAY);
      expect((await state(id)).is_enabled).toBe(true);
    }
    await deliver(id);
    expect(await state(id)).toMatchObject({ is_enabled: false, disabled_reason: '30 failures and no success for five days' });
  });

  it.each([
    ['answers nothing', () => undefined],
    ['answers headers and half a body', (res: import('node:http').ServerResponse) => void res.writeHead(500).write('half')],
  ])('that %s costs one attempt of limited time', async (_, how) => {
    const receiver = await startReceiver();
    receiver.answer(how);
    const { id } = await waiting(receiver.url);
    await deliver(id, createPoster({ allowPrivate: true, network: INTERNET, seconds: 1 }));
    expect(await log(id)).toMatchObject([{ status: 'pending', attempts: 1, error: expect.stringContaining('within 1 s') }]);
    await receiver.close();
  });

  it('a body without end after 200 is not waited for, nor read whole', async () => {
    const receiver = await startReceiver();
    let written = 0;
    receiver.answer((res) => {
      res.writeHead(200);
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(64 * 1024))) written += 64 * 1024;
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    });
    const { id } = await waiting(receiver.url);
    await deliver(id);
    const [delivery] = await log(id);
    expect(delivery).toMatchObject({ status: 'delivered', response_status: 200, response: 'x'.repeat(1_000) });
    expect(written).toBeLessThan(16 * 1024 * 1024);
    await receiver.close();
  });

  it('no listener, a connection that is cut, a certificate that nobody trusts, a name that does not exist', async () => {
    const cut = createTcpServer((socket) => socket.destroy());
    const tls = createTlsServer(
      { key: readFileSync('test/support/tls/localhost.key'), cert: readFileSync('test/support/tls/localhost.crt') },
      (_, res) => res.end(),
    );
    for (const server of [cut, tls]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      afterAll(() => void server.close());
    }
    const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
    const gone = await startReceiver();
    await gone.close();
    const reasons = [
      [gone.url, /ECONNREFUSED/],
      [`http://127.0.0.1:${portOf(cut)}/`, /hang up|ECONNRESET/],
      [`https://127.0.0.1:${portOf(tls)}/`, /certificate/i],
      ['https://nowhere.invalid/', /nowhere\.invalid can't be resolved/],
    ] as const;
    for (const [url, reason] of reasons) {
      const { id } = await waiting(url);
      await deliver(id);
      expect((await log(id))[0]).toMatchObject({
        status: 'pending',
        attempts: 1,
        response_status: null,
        error: expect.stringMatching(reason),
      });
    }
  });

  it('a secret that is lost fails the attempt and says what to do; rotating it puts it right', async () => {
    const receiver = await startReceiver();
    const { id } = await waiting(receiver.url);
    await app.db.query(sql`update webhooks set secret = 'lost' where id = ${id}`);
    await deliver(id);
    expect((await log(id))[0]).toMatchObject({ status: 'pending', error: expect.stringContaining(`outreach webhook rotate-secret ${id}`) });
    expect(receiver.received).toEqual([]);
    await rotateWebhookSecret(app, caller, id);
    clock.advance(7 * SECOND);
    await deliver(id);
    expect((await log(id))[0]).toMatchObject({ status: 'delivered' });
  });

  it('a kept connection that it closed in the meantime costs no attempt', async () => {
    const sockets = new Set<Socket>();
    const receiver = await startReceiver();
    receiver.answer((res) => {
      if (res.socket) sockets.add(res.socket);
      res.writeHead(200).end();
    });
    const { id } = await waiting(receiver.url);
    await deliver(id);
    await record();
    const sent = deliver(id);
    for (const socket of sockets) socket.resetAndDestroy();
    await sent;
    expect((await log(id)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });

  it('an answer that takes longer than an idle connection is kept is waited for', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => void setTimeout(() => res.writeHead(200).end(), 4_500));
    expect(await createPoster({ allowPrivate: true, network: INTERNET }).post(receiver.url, {}, '{}')).toMatchObject({
      status: 200,
      error: null,
    });
  });

  it("with a long queue it is asked less and less often, so it takes nobody's place", async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(500).end());
    const { id } = await waiting(receiver.url, 200);
    let attempts = 0;
    for (let minute = 0; minute < 30; minute++) {
      attempts += await deliver(id);
      clock.advance(MINUTE);
    }
    expect(attempts).toBeLessThanOrEqual(150);
    receiver.answer((res) => res.writeHead(200).end());
    clock.advance(HOUR);
    await deliver(id);
    expect((await log(id)).filter(({ status }) => status === 'delivered')).toHaveLength(200);
  });
});

describe('Private addresses', () => {
  it('are not even connected to by default, neither as an address nor by a name that leads there', async () => {
    const receiver = await startReceiver();
    const strict = createPoster({ allowPrivate: false, network: INTERNET });
    const port = new URL(receiver.url).port;
    for (const url of [receiver.url, `https://127.0.0.1:${port}/`, `https://[::ffff:127.0.0.1]:${port}/`, `https://localhost:${port}/`])
      expect(await strict.post(url, {}, '{}')).toMatchObject({ status: null, error: expect.stringMatching(/public internet|https/) });
    expect(receiver.received).toEqual([]);
  });
});

describe('Several daemons', () => {
  it('two at once deliver each message once', async () => {
    const receiver = await startReceiver();
    const { id } = await waiting(receiver.url, 60);
    const attempts = await Promise.all([deliver(id), deliver(id), deliver(id)]);
    expect(attempts.reduce((sum, count) => sum + count)).toBe(60);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  it('what a process had in hand when it died is delivered after its lease, under the same webhook-id', async () => {
    const receiver = await startReceiver();
    const { id } = await waiting(receiver.url);
    let first = true;
    const dying = { ...app, db: { ...app.db, tx: () => Promise.reject(new Error('killed')) } } as unknown as App;
    receiver.answer((res) => {
      first = false;
      res.writeHead(200).end();
    });
    await expect(deliverWebhook(dying, poster, id, running)).rejects.toThrow('killed');
    expect(first).toBe(false);
    expect(await deliver(id)).toBe(0);
    clock.advance(30 * SECOND);
    expect(await deliver(id)).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await log(id))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});

describe('By hand', () => {
  it('test sends at once and answers what came of it, for a webhook that is off too, and is not tried again', async () => {
    const receiver = await startReceiver();
    const { id, secret } = await createWebhook(app, caller, { url: receiver.url });
    await changeWebhook(app, caller, id, { is_enabled: false });
    clock.set(new Date());
    expect(await testWebhook(app, caller, id)).toMatchObject({ type: 'webhook.test', status: 'delivered', response_status: 204 });
    const [message] = receiver.received;
    expect(new Verifier(secret).verify(message?.body ?? '', message?.headers as Record<string, string>)).toMatchObject({
      type: 'webhook.test',
    });
    receiver.answer((res) => res.writeHead(500).end());
    expect(await testWebhook(app, caller, id)).toMatchObject({ status: 'failed', error: 'answered 500', next_attempt_at: null });
    expect(await state(id)).toMatchObject({ consecutive_failures: 0 });
  });

  it('replay: what was delivered once more under its id, and what it missed while it was off', async () => {
    const receiver = await startReceiver();
    const { id } = await waiting(receiver.url, 2);
    const since = clock.now();
    await deliver(id);
    await changeWebhook(app, caller, id, { is_enabled: false });
    clock.advance(MINUTE);
    await expect(replay(app, caller, id, { since }, pastEventMessages)).rejects.toThrow('the webhook is disabled');
    await record(3);
    await changeWebhook(app, caller, id, { is_enabled: true });
    clock.advance(SECOND);
    expect(await replay(app, caller, id, { since, types: ['event.replied'] }, pastEventMessages)).toEqual({ queued: 0 });
    expect(await replay(app, caller, id, { since, only_failed: true }, pastEventMessages)).toEqual({ queued: 0 });
    expect(await replay(app, caller, id, { since }, pastEventMessages)).toEqual({ queued: 5 });
    await deliver(id);
    expect(receiver.received).toHaveLength(7);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
    await expect(replay(app, caller, id, { since: new Date(clock.now().getTime() - 31 * DAY) }, pastEventMessages)).rejects.toThrow(
      'since: deliveries are kept for 30 days',
    );
    await expect(replay(app, caller, id, { since, until: since }, pastEventMessages)).rejects.toThrow('until: must be later than since');
  });

  it('deliveries are forgotten after 30 days, those of a removed webhook at once', async () => {
    const receiver = await startReceiver();
    const [kept, removed] = [await waiting(receiver.url), await createWebhook(app, caller, { url: receiver.url })];
    await record();
    await deleteWebhook(app, caller, removed.id);
    const count = async (id: number) => (await app.db.query(sql`select 1 from webhook_deliveries where webhook_id = ${id}`)).length;
    await pruneDeliveries(app);
    expect([await count(kept.id), await count(removed.id)]).toEqual([2, 0]);
    clock.advance(30 * DAY + SECOND);
    await pruneDeliveries(app);
    expect(await count(kept.id)).toBe(0);
  });
});
