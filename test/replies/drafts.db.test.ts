import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { member } from '../support/people.ts';
import { repliedContact } from '../support/replied-contact.ts';
import { startMailServers } from '../support/sender.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let imap: ImapServer;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await servedInstallation();
  ({ imap, sink } = await startMailServers());
});
beforeEach(() => {
  installation.clock.advance(2 * MINUTE);
  sink.messages.length = 0;
});
const replied = () => repliedContact({ installation, imap, sink }, {});

describe('docs/replies.md: "Nothing is sent before a person approves it"', () => {
  it('a draft is listed with its reply, changed, and sent once it is approved, as an answer of the one who wrote it', async () => {
    const { api, app } = installation;
    const { key, id: agent } = await member(app, 'manager', { scopes: ['read', 'drafts'] });
    const it = await replied();
    const drafted = await api.as(key).post(`/replies/${it.id}/drafts`, { text: 'Monday suits me.' });
    expect(drafted).toMatchObject({
      status: 201,
      body: { reply_id: it.id, to: it.mail.recipient, subject: 'Re: Hello', created_by: agent },
    });
    const path = `/drafts/${drafted.body.id}`;
    expect(await it.send()).toBe(0);
    expect(await it.read()).toMatchObject({ has_draft: true, is_read: false, drafts: [{ body_text: 'Monday suits me.' }] });
    expect((await it.read()).thread.map(({ type }: { type: string }) => type)).not.toContain('answer');
    const listed = async (has: boolean) => (await api.get(`/replies?has_draft=${has}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await listed(true)).toEqual([it.id]);
    expect(await listed(false)).not.toContain(it.id);

    expect((await api.patch(path, { text: 'Tuesday suits me.' })).body.body_html).toBe('<p>Tuesday suits me.</p>');
    // What GET returned can be sent back.
    expect((await api.patch(path, { ...(await api.get(path)).body, subject: 'Tuesday' })).body).toMatchObject({
      subject: 'Tuesday',
      body_html: '<p>Tuesday suits me.</p>',
    });
    const approvals = await Promise.all([api.post(`${path}/approve`), api.post(`${path}/approve`)]);
    expect(approvals.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await it.send()).toBe(1);
    expect(sink.messages.map(({ headers }) => headers.get('subject'))).toEqual(['Tuesday']);
    expect(await it.read()).toMatchObject({ has_draft: false, drafts: [], is_read: true });
    expect((await api.get('/drafts')).body.pagination.total).toBe(0);
  });

  it('a key of the scope drafts can neither change, approve nor discard one, and send nothing', async () => {
    const { api, app } = installation;
    const it = await replied();
    const agent = api.as((await member(app, 'admin', { scopes: ['read', 'drafts'] })).key);
    const { id } = (await agent.post(`/replies/${it.id}/drafts`, { text: 'No.' })).body;
    for (const refused of [
      agent.patch(`/drafts/${id}`, { text: 'Yes.' }),
      agent.post(`/drafts/${id}/approve`),
      agent.delete(`/drafts/${id}`),
      agent.post(`/replies/${it.id}/answer`, { text: 'Yes.' }),
    ])
      expect(await refused).toMatchObject(refusal(403, 'forbidden', 'scope write'));
    const viewer = api.as((await member(app, 'view_only')).key);
    expect(await viewer.post(`/replies/${it.id}/drafts`, { text: 'No.' })).toMatchObject(refusal(403, 'forbidden'));
    expect((await api.delete(`/drafts/${id}`)).status).toBe(204);
    expect(await api.get(`/drafts/${id}`)).toMatchObject(refusal(404, 'not_found', 'draft'));
  });

  it('what holds for an answer is checked when it is approved; a refused one stays a draft', async () => {
    const { api, app, caller, clock } = installation;
    const it = await replied();
    const later = new Date(clock.now().getTime() + DAY).toISOString();
    const { id } = (await api.post(`/replies/${it.id}/drafts`, { body_html: '<p>Later</p>', send_at: later })).body;
    await suppressAddress(app, caller, { email: it.mail.recipient, reason: 'asked' });
    expect(await api.post(`/drafts/${id}/approve`)).toMatchObject(refusal(409, 'conflict', 'is suppressed'));
    expect(await api.post(`/replies/${it.id}/drafts`, { text: ' ' })).toMatchObject(refusal(400, 'invalid_request', 'must not be empty'));
    expect((await api.post(`/drafts/${id}/approve`, { even_if_suppressed: true })).status).toBe(200);
    expect(await it.send()).toBe(0);
    clock.advance(DAY);
    expect(await it.send()).toBe(1);
  });
});
