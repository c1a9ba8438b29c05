import { beforeAll, describe, expect, it } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { afterFile } from '../support/after-file.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { member, workspace } from '../support/people.ts';
import { arrive, mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, insertContact, insertEnrolment, insertReply, rowOf } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const ZOE = 'zoe@example.com';
let installation: Awaited<ReturnType<typeof servedInstallation>>;
let app: App;
let api: ApiClient;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await servedInstallation({ webhooksAllowPrivate: true });
  ({ app, api } = installation);
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(app, server.port, ZOE);
});

/** Has a message arrive and read. Returns the newest reply of any kind to that contact's emails. */
async function receive(raw: string, contactId: number) {
  installation.clock.advance(600 * SECOND);
  await arrive(server, ZOE, raw);
  await new MailboxPoller(app).poll(zoe);
  const [row] = await app.db.query<{ id: number }>(sql`select id from replies where contact_id = ${contactId} order by id desc limit 1`);
  return row === undefined ? undefined : (await api.get(`/replies/${row.id}`)).body;
}

describe('a message about an email of ours', () => {
  it('is a reply from the moment it is matched: record, text, thread', async () => {
    const mail = await sentMail(installation, zoe);
    const got = await receive(
      reply(mail, {}, ['Yes, let us talk.', '', 'On Tue, 7 Jul 2026 Zoe <zoe@example.com> wrote:', '> Hello Ada']),
      mail.contactId,
    );
    expect(got).toMatchObject({
      ...{ kind: 'reply', campaign_id: mail.campaignId, contact_id: mail.contactId, account_id: zoe, step_order: 1 },
      ...{ from: mail.recipient, from_name: 'Ada Lovelace', subject: 'Re: Hello', snippet: 'Yes, let us talk.' },
      ...{ label: null, is_read: false, assigned_to: null, answered_at: null, attachments: [] },
    });
    expect(got.text).toContain('> Hello Ada');
    expect(got.thread).toMatchObject([
      { type: 'step', from: ZOE, to: mail.recipient, subject: 'Hello', text: 'Hi', step_order: 1 },
      { type: 'reply', reply_id: got.id, from: mail.recipient, to: ZOE, text: got.text },
    ]);
    expect((await api.get(`/replies?contact_id=${mail.contactId}`)).body).toMatchObject({
      data: [{ id: got.id }],
      pagination: { total: 1 },
    });
  });

  it('of a colleague, a program or somebody who wants out is one too, and only people are listed unless a kind is asked for', async () => {
    const campaignId = await insertCampaign(app, { account_id: zoe }, [{ subject: 'Hello' }]);
    const mail = (recipient: string) => sentMail(installation, zoe, { campaignId, recipient });
    const [colleague, away, out] = [await mail('bo@one.example'), await mail('cy@two.example'), await mail('di@three.example')];
    expect(await receive(reply(colleague, { From: 'Eve <eve@one.example>' }), colleague.contactId)).toMatchObject({ kind: 'colleague' });
    const notice = reply(away, { 'Auto-Submitted': 'auto-replied', Subject: 'Out of office' }, 'I am away until 20 July 2026.');
    expect(await receive(notice, away.contactId)).toMatchObject({ kind: 'auto_reply', from: 'cy@two.example' });
    expect(await receive(reply(out, {}, 'Please remove me from your list.'), out.contactId)).toMatchObject({ kind: 'unsubscribe_request' });
    const kinds = async (query: string) =>
      (await api.get(`/replies?campaign_id=${campaignId}${query}`)).body.data.map(({ kind }: { kind: string }) => kind);
    expect(await kinds('')).toEqual(['colleague']);
    expect(await kinds('&kind=auto_reply')).toEqual(['auto_reply']);
    expect(await kinds('&kind=unsubscribe_request')).toEqual(['unsubscribe_request']);
  });

  it('has its text from HTML in any charset, and its attachments by name and size, without the pictures of the signature', async () => {
    const mail = await sentMail(installation, zoe);
    const html = Buffer.from(
      '<div>Grüße, 10\u00a0€ sind zu viel</div><blockquote>Hello</blockquote>'.replace('€', 'EUR'),
      'latin1',
    ).toString('base64');
    const raw = message(
      {
        ...{ From: `Ada <${mail.recipient}>`, Subject: '=?iso-8859-1?Q?Gr=FC=DFe?=', 'In-Reply-To': mail.messageId, 'MIME-Version': '1.0' },
        'Content-Type': 'multipart/mixed; boundary="m"',
      },
      [
        '--m', 'Content-Type: multipart/related; boundary="r"', '',
        '--r', 'Content-Type: text/html; charset=iso-8859-1', 'Content-Transfer-Encoding: base64', '', html,
        '--r', 'Content-Type: image/png; name="logo.png"', 'Content-ID: <logo>', 'Content-Disposition: inline; filename="logo.png"',
        'Content-Transfer-Encoding: base64', '', 'AAAA', '--r--',
        '--m', 'Content-Type: application/pdf; name="offer.pdf"', 'Content-Disposition: attachment; filename="offer.pdf"',
        'Content-Transfer-Encoding: base64', '', Buffer.alloc(1_000).toString('base64').replaceAll(/.{76}/g, '$&\r\n'), '--m--',
      ],
    ); // biome-ignore format: a MIME message reads by its parts
    const got = await receive(raw, mail.contactId);
    expect(got).toMatchObject({
      subject: 'Grüße',
      snippet: 'Grüße, 10 EUR sind zu viel',
      attachments: [{ name: 'offer.pdf', size: 1_000 }],
    });
    expect(got.text).toContain('> Hello');
  });

  it('a bounce, or a message of our own side, is no reply', async () => {
    const mail = await sentMail(installation, zoe);
    expect(await receive(reply(mail, { From: `Zoe <${ZOE}>` }), mail.contactId)).toBeUndefined();
  });

  it('is published, of every kind, with the whole text only where the body is wanted', async () => {
    const { id } = await createWebhook(app, installation.caller, {
      url: 'https://example.com/',
      types: ['reply.received'],
      include_body: true,
    });
    const mail = await sentMail(installation, zoe);
    const got = await receive(reply(mail, { 'Auto-Submitted': 'auto-replied' }, 'I am away.'), mail.contactId);
    const told = await app.db.query(sql`select type, data, reply_body from webhook_deliveries where webhook_id = ${id}`);
    const {
      text: _,
      own_text: _own,
      attachments: __,
      thread: ___,
      writer: ____,
      because: _____,
      proof: _______,
      drafts: ______,
      ...record
    } = got;
    expect(told).toMatchObject([
      { type: 'reply.received', data: { reply: record, contact: { id: mail.contactId } }, reply_body: 'I am away.' },
    ]);
  });

  it('in a mailbox that the creator of the campaign may not see keeps its sender, and none of its words', async () => {
    const owner = await member(app, 'manager');
    const other = await mailboxAccount(app, server.port, 'yan@example.com');
    await setAccount(app, installation.caller, zoe, { is_shared_to_all: false });
    const campaignId = await insertCampaign(app, { account_id: other, created_by: owner.id }, [{ subject: 'Hello' }]);
    const mail = await sentMail(installation, other, { campaignId });
    const got = await receive(reply(mail), mail.contactId);
    await setAccount(app, installation.caller, zoe, { is_shared_to_all: true });
    expect(got).toMatchObject({ kind: 'reply', from: mail.recipient, subject: '', snippet: '', text: '', attachments: [] });
  });
});

describe('GET /replies', () => {
  it('finds by the beginnings of words in sender, subject and what was written, in any script, and not in the quotation', async () => {
    const campaignId = await insertCampaign(app);
    const ask = async (values: Record<string, unknown>) => insertReply(app, await insertEnrolment(app, campaignId), values);
    const price = await ask({ sender: 'joe@acme.example', own_text: 'What are your prices? Größe XL', full_text: 'x > tomorrow' });
    const chinese = await ask({ subject: '回复：你好', own_text: '明天见' });
    const found = async (q: string) =>
      (await api.get(`/replies?campaign_id=${campaignId}&q=${encodeURIComponent(q)}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await found('pric ACME')).toEqual([price]);
    expect(await found('joe@acme.example')).toEqual([price]);
    expect(await found('größ')).toEqual([price]);
    expect(await found('你好')).toEqual([chinese]);
    expect(await found("'; drop -- \\ prices")).toEqual([]);
    expect(await found('tomorrow')).toEqual([]);
    expect(await api.get('/replies?q=%21')).toMatchObject(refusal(400, 'invalid_request', 'q: must contain a letter or a digit'));
  });

  it('narrows by account, label, user, time and whether it was read; newest first, with the exact total', async () => {
    const { clock } = installation;
    const campaignId = await insertCampaign(app);
    const ids: number[] = [];
    for (let hour = 0; hour < 3; hour++) {
      const received_at = new Date(clock.now().getTime() - hour * 3_600_000);
      ids.push(
        await insertReply(app, await insertEnrolment(app, campaignId), {
          received_at,
          is_read: hour === 0,
          label: hour === 1 ? 'later' : null,
        }),
      );
    }
    const { account_id: account } = await rowOf<{ account_id: number }>(app, 'replies', ids[0] ?? 0);
    const since = new Date(clock.now().getTime() - 3_600_000).toISOString();
    const of = async (query: string) => {
      const { body } = await api.get(`/replies?campaign_id=${campaignId}&${query}`);
      return [body.pagination.total, ...body.data.map(({ id }: { id: number }) => ids.indexOf(id))];
    };
    expect(await of('limit=2')).toEqual([3, 0, 1]);
    expect(await of('is_read=false')).toEqual([2, 1, 2]);
    expect(await of('is_read=true')).toEqual([1, 0]);
    expect(await of('label=later')).toEqual([1, 1]);
    expect(await of(`since=${since}`)).toEqual([2, 0, 1]);
    expect(await of(`account_id=${account}`)).toEqual([3, 0, 1, 2]);
    expect(await of('assigned_to=1')).toEqual([0]);
    await api.patch(`/replies/${ids[2]}`, { assigned_to: 1 });
    expect(await of('assigned_to=1')).toEqual([1, 2]);
  });

  it('shows the replies of campaigns and contacts that the caller can see, in their own workspace', async () => {
    const owner = await member(app, 'manager');
    const stranger = await member(app, 'manager');
    const secret = await insertCampaign(app, { is_shared_to_all: false, created_by: owner.id });
    const hidden = await insertContact(app, { is_shared_to_all: false, created_by: owner.id });
    const elsewhere = await workspace(app);
    const foreign = await insertCampaign(app, { workspace_id: elsewhere });
    const ofCampaign = await insertReply(app, await insertEnrolment(app, secret));
    const ofContact = await insertReply(app, await insertEnrolment(app, await insertCampaign(app), { contact_id: hidden }));
    const enrolled = { workspace_id: elsewhere, contact_id: await insertContact(app, { workspace_id: elsewhere }) };
    const ofOthers = await insertReply(app, await insertEnrolment(app, foreign, enrolled), { workspace_id: elsewhere });
    const seen = async (key: string) => {
      const listed = (await api.as(key).get('/replies?limit=200')).body.data.map(({ id }: { id: number }) => id);
      const read = await Promise.all([ofCampaign, ofContact, ofOthers].map((id) => api.as(key).get(`/replies/${id}`)));
      expect(read.map(({ status }) => status)).toEqual([ofCampaign, ofContact, ofOthers].map((id) => (listed.includes(id) ? 200 : 404)));
      return [ofCampaign, ofContact, ofOthers].map((id) => listed.includes(id));
    };
    expect(await seen(owner.key)).toEqual([true, true, false]);
    expect(await seen(stranger.key)).toEqual([false, false, false]);
    expect(await seen(installation.adminKey)).toEqual([true, true, false]);
    expect((await api.as(stranger.key).patch(`/replies/${ofCampaign}`, { label: 'x' })).status).toBe(404);
  });
});

describe('PATCH /replies/{id}', () => {
  it('labels, marks and assigns, each change audited once, a label published', async () => {
    const { id: hook } = await createWebhook(app, installation.caller, { url: 'https://example.com/', types: ['reply.labelled'] });
    const id = await insertReply(app, await insertEnrolment(app, await insertCampaign(app)));
    const patch = { label: 'Call back', is_read: true, assigned_to: 1 };
    expect(await api.patch(`/replies/${id}`, patch)).toMatchObject({ status: 200, body: { id, ...patch } });
    expect((await api.patch(`/replies/${id}`, patch)).status).toBe(200);
    expect((await api.patch(`/replies/${id}`, { label: null })).body).toMatchObject({ ...patch, label: null });
    const audited = await app.db.query(sql`
      select action, user_id, changes from audit_log where resource_type = 'reply' and resource_id = ${id} order by id`);
    expect(audited).toEqual([
      { action: 'reply.update', user_id: 1, changes: { label: [null, 'Call back'], is_read: [false, true], assigned_to: [null, 1] } },
      { action: 'reply.update', user_id: 1, changes: { label: ['Call back', null] } },
    ]);
    const told = await app.db.query<{ data: { reply: { label: string } } }>(
      sql`select data from webhook_deliveries where webhook_id = ${hook} order by id`,
    );
    expect(told.map(({ data }) => data.reply.label)).toEqual(['Call back', null]);
  });

  it('refuses what is no label, an unknown user, and one who cannot see the campaign, and changes nothing then', async () => {
    const owner = await member(app, 'manager');
    const stranger = await member(app, 'manager');
    const secret = await insertCampaign(app, { is_shared_to_all: false, created_by: owner.id });
    const id = await insertReply(app, await insertEnrolment(app, secret));
    for (const body of [
      { label: '' },
      { label: 'x'.repeat(51) },
      { label: ` ${'x'.repeat(50)}` },
      { label: 'a\nb' },
      { is_read: 'yes' },
      { assigned_to: 999_999 },
      { assigned_to: stranger.id },
    ])
      expect(await api.patch(`/replies/${id}`, { is_read: true, ...body })).toMatchObject(
        refusal(400, 'invalid_request', Object.keys(body)[0]),
      );
    expect((await api.patch(`/replies/${id}`, { assigned_to: owner.id })).body).toMatchObject({ assigned_to: owner.id, is_read: false });
    const reader = await member(app, 'view_only');
    expect((await api.as(reader.key).patch(`/replies/${id}`, { is_read: true })).status).toBe(403);
  });
});
