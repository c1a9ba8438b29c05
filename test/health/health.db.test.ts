import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setDkim } from '../../src/accounts/index.ts';
import { pauseAccountInTx, resumeAccount } from '../../src/campaigns/index.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import { nameServers } from '../../src/core/dns.ts';
import { sql } from '../../src/db/statement.ts';
import { checkDueAccounts, checkHealth, getHealth, type Outside } from '../../src/health/index.ts';
import { reach } from '../../src/health/relay.ts';
import { smtpFacts } from '../../src/mail/server-facts.ts';
import { readMetrics } from '../../src/monitoring/gauges.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type DnsServer, reverseName, startDnsServer } from '../support/dns-server.ts';
import { insertAccount, insertRow } from '../support/rows.ts';
import { startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink, TEST_CERTIFICATE } from '../support/smtp-sink.ts';

const RELAY = '93.184.216.34';
const KEY = 'v=DKIM1; k=rsa; p=QUJD';

let installation: TestInstallation;
let dns: DnsServer;
let relay: SmtpSink;
let outside: Outside;

const trusted = getCACertificates('default');

beforeAll(async () => {
  setDefaultCACertificates([...trusted, readFileSync(TEST_CERTIFICATE, 'utf8')]);
  dns = await startDnsServer();
  installation = await testInstallation({
    ...{ nameServers: dns.address, addressBlockLists: 'bl.lists.test', domainBlockLists: 'dbl.lists.test,silent.lists.test' },
  });
  relay = await startSmtpSink({ users: {}, tls: 'starttls' });
  outside = {
    dns: nameServers(installation.app.config.nameServers),
    askServer: () => smtpFacts({ host: 'localhost', port: relay.port, secure: false }),
  };
  await createWebhook(installation.app, installation.caller, { url: 'https://hooks.example.com/', types: ['account.health_changed'] });
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await relay?.close();
});

const connect = (email: string, host: string) =>
  insertAccount(installation.app, { email, smtp: JSON.stringify({ host, port: 587, secure: false, tls: 'required', user: null }) });
const check = (id: number) => checkHealth(installation.app, installation.caller, id, outside);
const problemsOf = async (id: number) => {
  const { health, checks } = await check(id);
  const problems = checks.filter(({ state }) => state === 'stop' || state === 'watch').map((one) => `${one.check} ${one.state}`);
  return `${health}: ${problems.join(', ')}`;
};
/** What to do about each problem, as it was last told. */
const remediesOf = async (id: number) => {
  const { checks } = await getHealth(installation.app, installation.caller, id);
  return Object.fromEntries(checks.filter(({ remedy }) => remedy !== null).map(({ check: name, remedy }) => [name, remedy]));
};
const messages = () =>
  installation.app.db.query<{ account: Record<string, unknown> }>(
    sql`select data->'account' as account from webhook_deliveries where type = 'account.health_changed' order by id`,
  );
/** Changes of the word, in the audit log. */
const audited = (id: number) =>
  installation.app.db.query<{ changes: { health: unknown; problems: string[] } }>(
    sql`select changes from audit_log where action = 'account.change_health' and resource_id = ${id} order by id`,
  );
const sent = (id: number, accepted: number, bounced: number) =>
  installation.app.db.query(sql`
    insert into account_days (account_id, day, accepted, bounced) values (${id}, ${installation.clock.now().toISOString().slice(0, 10)}::date, ${accepted}, ${bounced})
    on conflict (account_id, day) do update set accepted = excluded.accepted, bounced = excluded.bounced`);

describe('three mailboxes, from bad to good', () => {
  it('a relay of one’s own: its name, SPF, the key that signs, and a block list', async () => {
    const { app, caller } = installation;
    const id = await connect('ada@northwind.test', 'mail.northwind.test');
    const [record] = await setDkim(app, caller, id, {});
    dns.zone = {
      'northwind.test': { MX: ['10 mail.northwind.test'], TXT: ['v=spf1 ip4:93.184.216.99 -all'] },
      '_dmarc.northwind.test': { TXT: ['v=DMARC1; p=none'] },
      'mail.northwind.test': { A: [RELAY] },
      [reverseName(RELAY, 'bl.lists.test')]: { A: ['127.0.0.2'] },
      // What a list says to a resolver that it does not serve is no listing.
      'northwind.test.silent.lists.test': { A: ['127.255.255.254'] },
    };
    expect(await problemsOf(id)).toBe('stop: spf stop, dkim stop, ptr stop, block_lists stop');
    expect(await audited(id)).toEqual([{ changes: { health: [null, 'stop'], problems: ['spf', 'dkim', 'ptr', 'block_lists'] } }]);
    const { checks } = await getHealth(app, caller, id);
    expect(checks.find((one) => one.check === 'spf')).toMatchObject({
      ...{ state: 'stop', since: '2026-07-07 12:00:00', remedy: `add ip4:${RELAY}` },
      ...{
        detail: `"v=spf1 ip4:93.184.216.99 -all" does not allow the sending server, ${RELAY}`,
        why: expect.stringMatching(/^It names/),
      },
    });
    expect(checks.find((one) => one.check === 'block_lists')?.detail).toBe(
      `listed: ${RELAY} in bl.lists.test; no answer for northwind.test in silent.lists.test`,
    );

    expect(await remediesOf(id)).toEqual({
      spf: `add ip4:${RELAY}`,
      dkim: `to see the record, run: outreach account show ${id}`,
      ptr: `have the provider of the server set the PTR record of ${RELAY} to its host name, and point that name at ${RELAY}`,
      block_lists: expect.stringMatching(
        /request removal on the page of the list; lists are queried once a day, so the removal shows a day later$/,
      ),
      placement: 'test it with: outreach account placement --from ada@northwind.test --to ACCOUNT',
    });
    // What they say is done.
    dns.zone['northwind.test'] = { MX: ['10 mail.northwind.test'], TXT: [`v=spf1 ip4:${RELAY} -all`] };
    dns.zone[record?.name ?? ''] = { TXT: [record?.value ?? ''] };
    dns.zone[reverseName(RELAY)] = { PTR: ['mail.northwind.test'] };
    delete dns.zone[reverseName(RELAY, 'bl.lists.test')];
    // Block lists are asked once a day, as their terms demand.
    const asked = () => dns.asked.filter((question) => question.includes('lists.test')).length;
    const before = asked();
    installation.clock.advance(HOUR);
    expect(await problemsOf(id)).toMatch(/^stop: block_lists stop, ptr watch$/);
    expect(asked()).toBe(before);
    installation.clock.advance(DAY);
    // The sink greets with the name of this machine.
    const greeting = (await smtpFacts({ host: 'localhost', port: relay.port, secure: false })).greeting ?? '';
    dns.zone[greeting.toLowerCase()] = { A: [RELAY] };
    expect(await problemsOf(id)).toBe('good: ');
    expect(asked()).toBeGreaterThan(before);
    const kept = await getHealth(app, caller, id);
    expect(kept.checks.find((one) => one.check === 'spf')?.since).toBe('2026-07-07 13:00:00');
    expect(kept.checks.find((one) => one.check === 'mx')?.since).toBe('2026-07-07 12:00:00');
    expect(kept.since).toBe('2026-07-08 13:00:00');
    // Two changes of the word, two messages.
    expect((await messages()).map(({ account }) => [account.email, account.previous_health, account.health])).toEqual([
      ['ada@northwind.test', null, 'stop'],
      ['ada@northwind.test', 'stop', 'good'],
    ]);
  });

  it('a mailbox at Google: what the domain lets it send, and DMARC', async () => {
    const id = await connect('bea@fabrikam.test', 'smtp.gmail.com');
    dns.zone = {
      'fabrikam.test': { MX: ['1 smtp.google.com'], TXT: ['v=spf1 include:sendgrid.test ~all'] },
      'sendgrid.test': { TXT: ['v=spf1 ip4:93.184.216.0/24 -all'] },
      '_spf.google.com': { TXT: ['v=spf1 ip4:93.184.217.0/24 ~all'] },
    };
    // Another's server is none of ours: neither its name nor its address is checked.
    expect(await problemsOf(id)).toBe('stop: spf stop, dmarc watch');
    expect(await remediesOf(id)).toMatchObject({
      spf: 'add include:_spf.google.com',
      dmarc: 'add a TXT record _dmarc.fabrikam.test "v=DMARC1; p=none"',
    });
    dns.zone['fabrikam.test'] = { MX: ['1 smtp.google.com'], TXT: ['v=spf1 include:_spf.google.com ~all'] };
    dns.zone['google._domainkey.fabrikam.test'] = { TXT: [KEY] };
    dns.zone['_dmarc.fabrikam.test'] = { TXT: ['v=DMARC1; p=none'] };
    expect(await problemsOf(id)).toBe('good: ');
  });

  it('what came of its emails: bounces, complaints, and limits of the provider', async () => {
    const { app, caller, clock } = installation;
    const id = await connect('cleo@contoso.test', 'smtp.provider.test');
    dns.zone = {
      'contoso.test': { MX: ['10 mx.provider.test'], TXT: ['v=spf1 mx -all'] },
      'mx.provider.test': { A: [RELAY] },
      '_dmarc.contoso.test': { TXT: ['v=DMARC1; p=none'] },
    };
    expect(await problemsOf(id)).toBe('good: ');
    await sent(id, 40, 4);
    expect(await problemsOf(id), 'a rate of few emails says nothing').toBe('good: ');
    await sent(id, 200, 4);
    expect(await problemsOf(id)).toBe('watch: bounces watch');
    await sent(id, 200, 10);
    expect(await problemsOf(id)).toBe('stop: bounces stop');
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, id, { reason: 'provider_limit', message: '550 5.4.5 daily limit' }));
    expect(await problemsOf(id)).toBe('stop: bounces stop, sending watch, limits watch');
    expect(await remediesOf(id)).toMatchObject({
      bounces: 'stop importing from the source of these addresses, and lower the daily limit until the rate falls',
      limits: 'lower the daily limit below the one of the provider: outreach account set ID --daily-limit',
      sending: 'send less, or ask the provider for more',
    });
    await resumeAccount(app, caller, id);
    clock.advance(8 * DAY);
    expect((await getHealth(app, caller, id)).health).toBe('stop');
    // The bounces are still those of 30 days, the limit is older than a week.
    expect(await problemsOf(id)).toBe('stop: bounces stop');
    clock.advance(30 * DAY);
    expect(await problemsOf(id)).toBe('good: ');
  });
});

describe('what a server says of itself', () => {
  it('its certificate: trusted and until when, or why it is not', async () => {
    const implicit = await startSmtpSink({ users: {}, tls: 'implicit' });
    const plain = await startSmtpSink({ users: {} });
    const place = (port: number, secure: boolean) => ({ host: 'localhost', port, secure });
    const certificate = expect.any(Date);
    expect(await smtpFacts(place(relay.port, false))).toMatchObject({ isEncrypted: true, expiresAt: certificate });
    expect(await smtpFacts(place(implicit.port, true))).toMatchObject({ isEncrypted: true, expiresAt: certificate });
    expect(await smtpFacts(place(plain.port, false))).toMatchObject({ isEncrypted: false, expiresAt: null });
    setDefaultCACertificates(trusted);
    const distrusted = await reach(() => smtpFacts(place(relay.port, false)));
    setDefaultCACertificates([...trusted, readFileSync(TEST_CERTIFICATE, 'utf8')]);
    expect(distrusted).toEqual({ problem: expect.stringMatching(/self-signed/), isCertificate: true });
    relay.misbehave('connect', 'stall');
    await expect(smtpFacts(place(relay.port, false), 0.2)).rejects.toThrow('the server took longer than 0.2 s');
    relay.behave();
    await implicit.close();
    await plain.close();
  });
});

describe('the daily check', () => {
  it('asks about a domain once for all its mailboxes, each mailbox once a day, and no archived one', async () => {
    const { app, clock } = installation;
    await app.db.query(sql`update accounts set is_archived = true`);
    const ids = [await connect('one@shared.test', 'smtp.provider.test'), await connect('two@shared.test', 'smtp.provider.test')];
    dns.zone = { 'shared.test': { MX: ['10 mx.provider.test'] } };
    const asked = () => dns.asked.filter((question) => question === 'MX shared.test').length;
    await checkDueAccounts(app, outside);
    expect(asked()).toBe(1);
    clock.advance(12 * HOUR);
    await checkDueAccounts(app, outside);
    expect(asked()).toBe(1);
    clock.advance(12 * HOUR);
    await checkDueAccounts(app, outside);
    expect(asked()).toBe(2);
    const words = await app.db.query<{ id: number; word: string }>(
      sql`select id, health->>'word' as word from accounts where not is_archived order by id`,
    );
    expect(words).toEqual(ids.map((id) => ({ id, word: 'watch' })));
    const metrics = await readMetrics(app);
    expect(metrics).toContain('outreach_accounts_health{health="watch"} 2');
    expect(metrics).toContain('outreach_accounts_health{health="stop"} 0');
  });

  it('a name server that is away changes nothing', async () => {
    const { app, caller, clock } = installation;
    const [{ id = 0 } = {}] = await app.db.query<{ id: number }>(sql`select id from accounts where email = 'one@shared.test'`);
    const before = await getHealth(app, caller, id);
    const told = (await messages()).length;
    clock.advance(DAY);
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ESERVFAIL' }));
    await checkDueAccounts(app, {
      askServer: () => Promise.reject(new Error('connection refused')),
      dns: { resolveMx: away, resolveTxt: away, resolve4: away, resolve6: away, reverse: away },
    });
    const after = await getHealth(app, caller, id);
    expect(after.checked_at).not.toBe(before.checked_at);
    expect(after).toEqual({ ...before, checked_at: after.checked_at });
    expect(await messages()).toHaveLength(told);
  });

  it('complaints count by the account that sent the email', async () => {
    const { app, clock } = installation;
    const sink = await startSmtpSink({ users: { me: 'secret' } });
    const sender = await startSender(installation, sink);
    expect(await sender.batch()).toEqual({ sent: 1, other: 0 });
    await sink.close();
    await sent(sender.accountId, 900, 0);
    const [email] = await app.db.query<{ id: number; enrolment_id: number }>(
      sql`select id, enrolment_id from outbox where account_id = ${sender.accountId}`,
    );
    const complain = (uid: number) =>
      insertRow(app, 'inbound_messages', {
        ...{ workspace_id: 1, account_id: sender.accountId, folder: 'INBOX', uid_validity: 1, uid, verdict: 'feedback_report' },
        ...{ outbox_id: email?.id, enrolment_id: email?.enrolment_id, sender: 'fbl@provider.test', created_at: clock.now() },
      });
    const state = async () => (await check(sender.accountId)).checks.find((one) => one.check === 'complaints');
    expect((await state())?.state).toBe('good');
    await complain(1);
    await complain(2);
    expect(await state()).toMatchObject({ state: 'watch', detail: expect.stringMatching(/^7 days: 2 of 900 emails \(0\.22%\)/) });
    await complain(3);
    expect((await state())?.state).toBe('stop');
  });
});
