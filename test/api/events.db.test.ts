import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { EVENT_TYPES } from '../../src/core/event-types.ts';
import { recordEvents } from '../../src/events/index.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { operationsOf } from '../support/openapi.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { type Enrolled, eventOf, insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const installation = await servedInstallation();
const { api, app, clock } = installation;
const { operations } = await operationsOf(api.url);

interface Row {
  id: number;
  campaign_id: number;
  contact_id: number;
  type: string;
  url: string | null;
  timestamp: string;
}
const feed = async (query = ''): Promise<Row[]> => (await api.get(`/events?limit=200${query}`)).body.data;
const ofCampaign = async (id: number, query = ''): Promise<Row[]> => (await api.get(`/campaigns/${id}/events?limit=200${query}`)).body.data;

const LINK = 'https://example.com/offer?a=1';
let first: Enrolled;
let second: Enrolled;

/** Records each type once for both contacts, a second apart. */
beforeAll(async () => {
  first = await insertEnrolment(app, await insertCampaign(app));
  second = await insertEnrolment(app, await insertCampaign(app));
  for (const type of EVENT_TYPES)
    for (const enrolment of [first, second]) {
      clock.advance(SECOND);
      const url = type === 'clicked' ? { url: LINK } : {};
      await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, type, url)]));
    }
});

describe('Events', () => {
  it('The service keeps an event log per campaign and exposes it through GET /campaigns/{id}/events and, across campaigns, GET /events', async () => {
    const all = await feed();
    expect(all).toHaveLength(2 * EVENT_TYPES.length);
    for (const { campaignId } of [first, second]) {
      const own = all.filter(({ campaign_id }) => campaign_id === campaignId).map(({ campaign_id: _, ...row }) => row);
      expect(await ofCampaign(campaignId)).toEqual(own);
      expect(own).toHaveLength(EVENT_TYPES.length);
    }
  });

  it('Event types: sent, opened, clicked, replied, bounced, failed, enrolled, unsubscribed; there is no other', async () => {
    const types = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled', 'unsubscribed'];
    expect([...EVENT_TYPES].sort()).toEqual(types.toSorted());
    for (const path of ['/events', '/campaigns/{id}/events']) {
      const operation = operations.find((candidate) => candidate.path === path);
      expect(operation?.query.find(({ name }) => name === 'type')?.schema.enum.toSorted(), path).toEqual(types.toSorted());
    }
    for (const type of types) {
      expect((await feed(`&type=${type}`)).map((row) => row.type)).toEqual([type, type]);
      expect((await ofCampaign(first.campaignId, `&type=${type}`)).map((row) => row.type)).toEqual([type]);
    }
    for (const type of ['delivered', 'Sent', 'completed', ''])
      expect(await api.get(`/events?type=${type}`), type).toMatchObject(refusal(400, 'invalid_request', 'type: must be one of'));
  });

  it('Events are returned newest first', async () => {
    for (const rows of [await feed(), await ofCampaign(second.campaignId)]) {
      expect(rows.map(({ timestamp }) => timestamp)).toEqual(
        rows
          .map(({ timestamp }) => timestamp)
          .toSorted()
          .reverse(),
      );
      expect(rows[0]?.type).toBe(EVENT_TYPES.at(-1));
    }
  });

  it('The feed filters by type, campaign_id, contact_id and since, which narrow together', async () => {
    const all = await feed();
    const since = all[5]?.timestamp ?? '';
    const filters: [query: string, keeps: (row: Row) => boolean][] = [
      ['type=clicked', ({ type }) => type === 'clicked'],
      [`campaign_id=${first.campaignId}`, ({ campaign_id }) => campaign_id === first.campaignId],
      [`contact_id=${second.contactId}`, ({ contact_id }) => contact_id === second.contactId],
      [`since=${since.replace(' ', 'T')}Z`, ({ timestamp }) => timestamp >= since],
    ];
    for (let chosen = 1; chosen < 2 ** filters.length; chosen++) {
      const some = filters.filter((_, index) => (chosen >> index) & 1);
      const query = some.map(([text]) => `&${text}`).join('');
      const { body } = await api.get(`/events?limit=200${query}`);
      const expected = all.filter((row) => some.every(([, keeps]) => keeps(row)));
      expect(body.data, query).toEqual(expected);
      expect(body.pagination.total, query).toBe(expected.length);
    }
  });

  it('enrolled is recorded when a contact is enrolled', async () => {
    const campaign = await insertCampaign(app);
    const contact = await insertContact(app);
    await api.post(`/campaigns/${campaign}/contacts`, { contact_ids: [contact] });
    expect(await ofCampaign(campaign)).toMatchObject([{ type: 'enrolled', contact_id: contact, step_order: 1, url: null }]);
    await api.post(`/campaigns/${campaign}/contacts`, { contact_ids: [contact] });
    expect(await ofCampaign(campaign)).toHaveLength(1);
  });

  it('clicked events carry the clicked address in url; for other types url is null', async () => {
    for (const { type, url } of await feed()) expect(url, type).toBe(type === 'clicked' ? LINK : null);
  });
});

describe("Reply and bounce events are recorded only when the campaign's effective reply address is a connected account", () => {
  let server: ImapServer;
  let sender: number;
  beforeAll(async () => {
    server = await startImapServer({ users: { 'zoe@example.com': PASSWORD, 'replies@example.com': PASSWORD } });
    sender = await mailboxAccount(app, server.port, 'zoe@example.com');
    await mailboxAccount(app, server.port, 'replies@example.com');
  });
  afterAll(() => server?.close());

  /** Lets one recipient reply and an email to another bounce, then reads the campaign from the API. */
  async function answered(replyTo: string | null, mailbox: string) {
    const campaignId = await insertCampaign(app, { account_id: sender, reply_to: replyTo });
    const mails: SentMail[] = [];
    for (let count = 0; count < 2; count++) mails.push(await sentMail(installation, sender, { campaignId }));
    const [one, other] = mails as [SentMail, SentMail];
    await server.append(mailbox, 'INBOX', reply(one));
    await server.append('zoe@example.com', 'INBOX', bounce(other));
    clock.advance(600 * SECOND);
    const accounts = (await api.get('/accounts?limit=200')).body.data as { id: number; email: string }[];
    const poller = new MailboxPoller(app);
    for (const { id, email } of accounts) if (email === 'zoe@example.com' || email === mailbox) await poller.poll(id);
    const { reply_to_connected } = (await api.get(`/campaigns/${campaignId}`)).body;
    const { replied, bounced } = (await api.get(`/campaigns/${campaignId}/stats`)).body;
    const types = (await ofCampaign(campaignId)).map(({ type }) => type).sort();
    return { reply_to_connected, types, replied, bounced };
  }

  it.each([
    [null, 'zoe@example.com'],
    ['replies@example.com', 'replies@example.com'],
  ])('reply_to %s: connected, both are recorded', async (replyTo, mailbox) => {
    expect(await answered(replyTo, mailbox)).toEqual({ reply_to_connected: true, types: ['bounced', 'replied'], replied: 1, bounced: 1 });
  });

  it('reply_to elsewhere: not connected, neither is, though both came to the mailbox that sent', async () => {
    expect(await answered('boss@elsewhere.example', 'zoe@example.com')).toEqual({
      reply_to_connected: false,
      types: [],
      replied: 0,
      bounced: 0,
    });
  });
});
