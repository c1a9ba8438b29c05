import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import {
  changeCampaign,
  changeContact,
  checkCampaign,
  enrol,
  getContactDetails,
  releaseChangedContent,
} from '../../src/campaigns/index.ts';
import { addSuppression } from '../../src/contacts/index.ts';
import { verifierOf } from '../../src/contacts/verify/hook.ts';
import { verifyContacts } from '../../src/contacts/verify/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import type { MailLookups } from '../../src/mail-domains/index.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { blocksOf } from '../support/docs.ts';
import { member, workspace } from '../support/people.ts';
import { startReceiver } from '../support/receiver.ts';
import { insertCampaign, insertContact, insertList } from '../support/rows.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

// docs/deliverability.md, "Before you email an address".

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;

const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const asked: string[] = [];
/** DNS in which the first label of a name says which records it has. */
const dns: MailLookups = {
  resolveMx: (name) => {
    asked.push(name);
    if (name.startsWith('gone')) return failure('ENOTFOUND');
    if (name.startsWith('silent')) return failure('ETIMEOUT');
    if (name.startsWith('null')) return Promise.resolve([{ priority: 0, exchange: '' }]);
    if (name.startsWith('host') || name.startsWith('bare') || name.startsWith('half')) return failure('ENODATA');
    return Promise.resolve([{ priority: 10, exchange: `mx.${name}` }]);
  },
  resolve4: (name) =>
    name.startsWith('host') ? Promise.resolve(['192.0.2.1']) : failure(name.startsWith('half') ? 'ESERVFAIL' : 'ENODATA'),
  resolve6: () => failure('ENODATA'),
};

const verify = (ids: number[], by = caller, within: App = app) => verifyContacts(within, by, ids, dns);
const verdictOn = async (email: string) => {
  const id = await insertContact(app, { email });
  const [verified] = await verify([id]);
  expect((await getContactDetails(app, caller, id)).verification).toEqual(verified?.verification);
  return `${verified?.verification.verdict}: ${verified?.verification.reason}`;
};
const bounce = (email: string) => app.db.tx((tx) => addSuppression(tx, app, caller, { email, reason: 'bounce', workspaceOnly: true }));

describe('the rules', () => {
  it.each([
    ['ada@fine.com', 'ok: fine.com receives email'],
    ['Ada.Lovelace+x@bücher.com', 'ok: xn--bcher-kva.com receives email'],
    // RFC 7505: a null MX says that a domain accepts no email.
    ['ada@null-mx.com', 'bad: null-mx.com accepts no email (null MX, RFC 7505)'],
    // NXDOMAIN.
    ['ada@gone.com', 'bad: the domain gone.com does not exist'],
    // RFC 5321 §5.1: without MX, email goes to the address of the domain itself.
    ['ada@host.com', 'risky: host.com has no MX record, only an address'],
    ['ada@bare.com', 'bad: bare.com has neither an MX record nor an address'],
    // No answer, neither to the first question nor to the second.
    ['ada@silent.com', 'unknown: no name server answered for silent.com'],
    ['ada@half.com', 'unknown: no name server answered for half.com'],
    // RFC 6761: such names are never looked up.
    ['ada@acme.test', 'bad: acme.test is not a domain of the public internet'],
    ['ada lovelace@fine.com', 'bad: not an email address'],
    ['ada@mailinator.com', 'risky: mailinator.com has disposable addresses'],
    ['ada@inbox.mailinator.com', 'risky: inbox.mailinator.com has disposable addresses'],
    ['Info@fine.com', 'risky: a role address, not that of one person'],
    ['sales+berlin@fine.com', 'risky: a role address, not that of one person'],
    ['postmaster@fine.com', 'risky: a role address, not that of one person'],
    ['infanta@fine.com', 'ok: fine.com receives email'],
    ['No-Reply@fine.com', 'bad: nobody reads this mailbox'],
    ['donotreply@fine.com', 'bad: nobody reads this mailbox'],
    // Bad properties come before risky ones.
    ['info@gone.com', 'bad: the domain gone.com does not exist'],
  ])('%s', async (email, verdict) => expect(await verdictOn(email)).toBe(verdict));

  it('a domain where three addresses bounced in the last 30 days is risky, unless it is a mailbox provider', async () => {
    for (const name of ['a', 'b']) await bounce(`${name}@often.com`);
    for (const name of ['a', 'b', 'c']) await bounce(`${name}@gmail.com`);
    expect(await verdictOn('one@often.com')).toBe('ok: often.com receives email');
    await bounce('b@often.com');
    expect(await verdictOn('two@often.com')).toBe('ok: often.com receives email');
    await bounce('c@often.com');
    expect(await verdictOn('three@often.com')).toBe('risky: 3 addresses at often.com bounced in the last 30 days');
    expect(await verdictOn('ada@gmail.com')).toBe('ok: gmail.com receives email');
    const theirs = await workspace(app);
    const contact = await insertContact(app, { email: 'four@often.com', workspace_id: theirs });
    const [elsewhere] = await verify([contact], { ...caller, workspaceId: theirs });
    expect(elsewhere?.verification.verdict).toBe('ok');
    clock.advance(31 * DAY);
    expect(await verdictOn('five@often.com')).toBe('ok: often.com receives email');
  });

  it('asks for no further domain after 20 seconds: those left are unknown, and asked for the next time', async () => {
    let now = 0;
    const slow: MailLookups = {
      ...dns,
      resolveMx: (name) => {
        now += 21_000;
        return dns.resolveMx(name);
      },
    };
    const ids = await Promise.all(['first', 'second'].map((name) => insertContact(app, { email: `ada@${name}.com` })));
    const verdicts = async () =>
      (await verifyContacts(app, caller, ids, slow, () => now)).map(({ verification }) => verification.verdict).toSorted();
    expect(await verdicts()).toEqual(['ok', 'unknown']);
    expect(await verdicts()).toEqual(['ok', 'ok']);
  });

  it('asks for a domain once for all workspaces, and again when the answer is old', async () => {
    const times = () => asked.filter((name) => name === 'once.com').length;
    await verdictOn('a@once.com');
    await verdictOn('b@once.com');
    const theirs = await workspace(app);
    const contact = await insertContact(app, { email: 'c@once.com', workspace_id: theirs });
    expect(await verify([contact], { ...caller, workspaceId: theirs })).toMatchObject([{ verification: { verdict: 'ok' } }]);
    expect(times()).toBe(1);
    clock.advance(31 * DAY);
    await verdictOn('d@once.com');
    expect(times()).toBe(2);
  });
});

describe('a verdict', () => {
  it('is forgotten when the address changes, and kept when only its spelling does', async () => {
    const id = await insertContact(app, { email: 'Ada@spelt.com', name: 'Ada' });
    const [{ verification } = { verification: null }] = await verify([id]);
    await changeContact(app, caller, id, { email: 'ada@spelt.com', name: 'Ada L.' });
    expect((await getContactDetails(app, caller, id)).verification).toEqual(verification);
    await changeContact(app, caller, id, { email: 'ada@other.com' });
    expect((await getContactDetails(app, caller, id)).verification).toBeNull();
    const entries = await app.db.query<{ changes: object }>(
      sql`select changes from audit_log where resource_type = 'contact' and resource_id = ${id} and action = 'contact.update'`,
    );
    expect(entries.flatMap(({ changes }) => Object.keys(changes))).not.toContain('verification');
  });

  it('is not kept for an address that changed while it was checked', async () => {
    const id = await insertContact(app, { email: 'ada@meanwhile.com' });
    const changing: MailLookups = {
      ...dns,
      resolveMx: async (name) => {
        await changeContact(app, caller, id, { email: 'ada@quicker.com' });
        return dns.resolveMx(name);
      },
    };
    await verifyContacts(app, caller, [id], changing);
    expect((await getContactDetails(app, caller, id)).verification).toBeNull();
  });

  it('is removed by an erasure', async () => {
    const id = await insertContact(app, { email: 'erased@gone.com' });
    await verify([id]);
    await erasePerson(app, caller, 'erased@gone.com');
    const rows = await app.db.query(sql`select verification from contacts where id = ${id}`);
    expect(rows).toEqual([{ verification: null }]);
  });

  it('is given on no contact of another workspace, or hidden from the caller', async () => {
    const theirs = await workspace(app);
    const elsewhere = await insertContact(app, { email: 'ada@elsewhere.com', workspace_id: theirs });
    const hidden = await insertContact(app, { email: 'ada@hidden.com', is_shared_to_all: false });
    const manager = await member(app, 'manager');
    const as = { ...caller, userId: manager.id, role: 'manager' as const, isInstallAdmin: false };
    expect(await verify([elsewhere, hidden, 999_999], as)).toEqual([]);
    const rows = await app.db.query(sql`select verification from contacts where id in (${elsewhere}, ${hidden})`);
    expect(rows).toEqual([{ verification: null }, { verification: null }]);
    expect(asked).not.toContain('elsewhere.com');
    expect(asked).not.toContain('hidden.com');
  });
});

describe('a verifier of one’s own', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  const withHook = (settings: object = {}): App => ({
    ...app,
    config: { ...app.config, verifyUrl: receiver.url, webhooksAllowPrivate: true, ...settings },
  });
  const ask = (settings?: object) => verifierOf(withHook(settings), 0.3)?.('ada@fine.com');
  const failed = (reason: string) => ({ verdict: 'unknown', reason: expect.stringContaining(reason), source: 'hook' });
  const answers = (body: string, status = 200) => receiver.answer((res) => res.writeHead(status).end(body));

  it('decides about what is not bad already', async () => {
    answers('{"verdict": "risky", "reason": "accepts\\u001b[31m everything", "score": 3}');
    const ids = [await insertContact(app, { email: 'hook@fine.com' }), await insertContact(app, { email: 'hook@gone.com' })];
    const verified = await verify(ids, caller, withHook());
    expect(verified.map(({ verification }) => verification)).toMatchObject([
      { verdict: 'risky', reason: 'accepts [31m everything', source: 'hook' },
      { verdict: 'bad', source: 'outreach' },
    ]);
    expect(receiver.received.map(({ body }) => body)).toEqual(['{"email":"hook@fine.com"}']);
  });

  it('is asked, and answers, as docs/deliverability.md says', async () => {
    const [request] = blocksOf('docs/deliverability.md', 'http');
    const [response] = blocksOf('docs/deliverability.md', 'json');
    receiver.received.length = 0;
    answers(response?.text ?? '');
    expect(await verifierOf(withHook())?.('ada@example.org')).toEqual({ ...JSON.parse(response?.text ?? ''), source: 'hook' });
    const [head = '', body = ''] = (request?.text ?? '').split('\n\n');
    expect(head).toContain(`Content-Type: ${receiver.received[0]?.headers['content-type']}`);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(JSON.parse(body));
  });

  it('is asked about no further address after 40 seconds: those left are unknown', async () => {
    let now = 0;
    receiver.answer((res) => {
      now = 41_000;
      res.end('{"verdict": "ok"}');
    });
    const ids = await Promise.all(Array.from({ length: 22 }, (_, index) => insertContact(app, { email: `slow-${index}@fine.com` })));
    const verified = await verifyContacts(withHook(), caller, ids, dns, () => now);
    const reasons = Object.groupBy(verified, ({ verification }) => `${verification.verdict}: ${verification.reason}`);
    expect(Object.entries(reasons).map(([reason, own]) => [reason, own?.length])).toEqual([
      ['ok: ', 20],
      ['unknown: the verifier is too slow for so many addresses', 2],
    ]);
  });

  it('that fails says unknown, and why', async () => {
    receiver.answer(() => undefined);
    expect(await ask()).toEqual(failed('no response within 0.3 s'));
    answers(JSON.stringify({ verdict: 'ok', reason: 'x'.repeat(70_000) }));
    expect(await ask()).toEqual(failed('64 KB at most'));
    answers(JSON.stringify({ verdict: 'ok', reason: 'x'.repeat(60_000) }));
    expect(await ask()).toEqual({ verdict: 'ok', reason: 'x'.repeat(200), source: 'hook' });
    answers('<html>');
    expect(await ask()).toEqual(failed('not JSON with a verdict'));
    answers('{"verdict": "perhaps"}');
    expect(await ask()).toEqual(failed('not JSON with a verdict'));
    answers('{"verdict": "ok"}', 503);
    expect(await ask()).toEqual(failed('it answered 503'));
    receiver.answer((res) => res.writeHead(302, { location: receiver.url }).end());
    expect(await ask()).toEqual(failed('it answered 302'));
    receiver.answer((res) => res.destroy());
    expect(await ask()).toEqual(failed('the verifier failed'));
    // As for webhooks, the operator must allow private addresses.
    expect(await ask({ webhooksAllowPrivate: false })).toEqual(failed('https'));
    expect(await ask({ verifyUrl: 'https://127.0.0.1:1/', webhooksAllowPrivate: false })).toEqual(
      failed('not an address of the public internet'),
    );
  });
});

describe('campaigns', () => {
  const people = async (...emails: string[]) => {
    const ids: number[] = [];
    for (const email of emails) ids.push(await insertContact(app, { email }));
    return ids;
  };
  const warning = async (id: number, by = caller) =>
    (await checkCampaign(app, by, id)).filter(({ code }) => code === 'risky_addresses').map(({ message }) => message.split(';')[0]);

  it('campaign check counts who is bad, risky or unchecked, once somebody was checked, as far as the caller sees them', async () => {
    const ids = await people('c1@fine.com', 'c2@gone.com', 'info@c3.com', 'c4@fine.com');
    const campaignId = await insertCampaign(app);
    await enrol(app, caller, campaignId, { contact_ids: ids });
    expect(await warning(campaignId)).toEqual([]);
    await verify(ids.slice(0, 3));
    expect(await warning(campaignId)).toEqual(['of the addresses of 4 contacts, 1 are bad, 1 risky and 1 were never checked']);
    await app.db.query(sql`update contacts set is_shared_to_all = false where id = ${ids[1] ?? 0}`);
    const { id: userId } = await member(app, 'manager');
    const as = { ...caller, userId, role: 'manager' as const, isInstallAdmin: false };
    expect(await warning(campaignId, as)).toEqual(['of the addresses of 3 contacts, 0 are bad, 1 risky and 1 were never checked']);
  });

  it('skip_risky enrols nobody whose address is bad or risky', async () => {
    const ids = await people('s1@fine.com', 's2@gone.com', 'info@s3.com', 's4@silent.com', 's5@fine.com');
    await verify(ids.slice(0, 4));
    const campaignId = await insertCampaign(app, { skip_risky: true });
    const list = await insertList(app, ids);
    expect(await enrol(app, caller, campaignId, { list_ids: [list] }, { details: true })).toEqual({
      enrolled: 3,
      skipped: [
        { contact_id: ids[1], reason: 'risky_address' },
        { contact_id: ids[2], reason: 'risky_address' },
      ],
    });
  });

  it('skip_risky holds who is found bad later, explain says so, and they go on once the option or the address is another', async () => {
    const sender = await startSender(installation, sink, {
      campaign: { skip_risky: true },
      contacts: [{ email: 'h1@fine.com' }, { email: 'h2@gone.com' }, { email: 'info@h3.com' }],
    });
    await verify(sender.contactIds);
    await sender.batch();
    expect(sink.messages.flatMap(({ to }) => to)).toEqual(['h1@fine.com']);
    const said = async () => {
      const { reasons, notes } = await explainCampaign(app, caller, sender.campaignId);
      return [...reasons, ...notes].filter((text) => text.includes('skip_risky'));
    };
    expect(await said()).toEqual([expect.stringMatching(/^2 contacts are held at step 1: the address is risky or bad/)]);
    await changeContact(app, caller, sender.contactIds[1] ?? 0, { email: 'h2@fine.com' });
    await releaseChangedContent(app);
    clock.advance(DAY);
    await batchesOf(app).run(sender.accountId);
    expect(await said()).toEqual([expect.stringMatching(/^1 contact is held at step 1/)]);
    await changeCampaign(app, caller, sender.campaignId, { skip_risky: false });
    await releaseChangedContent(app);
    clock.advance(DAY);
    await batchesOf(app).run(sender.accountId);
    expect(await said()).toEqual([]);
    expect(sink.messages.length).toBe(3);
  });
});
