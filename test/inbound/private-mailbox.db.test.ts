import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { TEST_START } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { member } from '../support/people.ts';
import { mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, insertRow } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

/**
 * A connected reply address must be visible to whoever sets it, and this is asked again when an inbound message is matched: a
 * colleague's private mailbox can't be read through a campaign and its webhooks.
 */

const [ZOE, BOB] = ['zoe@example.com', 'bob@example.com'];
const HIDDEN = /^reply_to: .*not shared with you/;
const installation = await servedInstallation();
const { app, api, clock } = installation;
let server: ImapServer;
let eve: { id: number; api: ApiClient };
let zoe: number;
let bob: number;

beforeAll(async () => {
  server = await startImapServer({ users: { [ZOE]: PASSWORD, [BOB]: PASSWORD } });
  const [owner, manager] = [await member(app, 'manager'), await member(app, 'manager')];
  eve = { id: manager.id, api: api.as(manager.key) };
  zoe = await mailboxAccount(app, server.port, ZOE);
  bob = await mailboxAccount(app, server.port, BOB, { created_by: owner.id, is_shared_to_all: false });
});
afterAll(() => server?.close());
beforeEach(() => clock.set(TEST_START));

const campaignOf = (userId: number, values: object = {}) =>
  insertCampaign(app, { account_id: zoe, created_by: userId, ...values }, [{ subject: 'Hello' }]);
const setShared = (on: boolean) => app.db.query(sql`update accounts set is_shared_to_all = ${on} where id = ${bob}`);

/** Delivers a reply to an email of the campaign to Bob's mailbox. Returns the event's details and the status of the enrolment. */
async function answered(campaignId: number) {
  const mail = await sentMail(installation, zoe, { campaignId });
  await server.append(BOB, 'INBOX', reply(mail, { To: BOB }, 'The price is secret.'));
  clock.advance(600 * SECOND);
  expect(await new MailboxPoller(app).poll(bob)).not.toBeNull();
  const [row] = await app.db.query<{ status: string; details: object | null; excerpt: string | null }>(sql`
    select n.status, (select e.details from events e where e.enrolment_id = n.id and e.type = 'replied') as details,
      (select concat(i.subject, i.snippet) from inbound_messages i where i.enrolment_id = n.id) as excerpt
    from enrolments n where n.id = ${mail.enrolmentId}`);
  return row;
}

describe('a connected reply address must be visible to whoever sets it', () => {
  it("PATCH with the address of a colleague's private mailbox → 400, whatever its case, and nothing changes", async () => {
    const id = await campaignOf(eve.id);
    const refused = await eve.api.patch(`/campaigns/${id}`, { reply_to: ' Bob@Example.com' });
    expect(refused).toMatchObject(refusal(400, 'invalid_request'));
    expect(refused.body.error.message).toMatch(HIDDEN);
    expect((await eve.api.get(`/campaigns/${id}`)).body).toMatchObject({ reply_to: null });
  });

  it('shared with them, or set by an admin, it is taken; an address that is no account is too', async () => {
    const id = await campaignOf(eve.id);
    expect((await eve.api.patch(`/campaigns/${id}`, { reply_to: 'boss@elsewhere.example' })).status).toBe(200);
    expect((await api.patch(`/campaigns/${id}`, { reply_to: BOB })).body.reply_to_connected).toBe(true);
    expect((await eve.api.patch(`/campaigns/${id}`, { reply_to: BOB, name: 'Sent back' })).status).toBe(200);
    await api.patch(`/campaigns/${id}`, { reply_to: null });
    await insertRow(app, 'shares', {
      workspace_id: 1,
      resource_type: 'accounts',
      resource_id: bob,
      user_id: eve.id,
      granted_at: clock.now(),
    });
    expect((await eve.api.patch(`/campaigns/${id}`, { reply_to: BOB })).body.reply_to_connected).toBe(true);
    await app.db.query(sql`delete from shares where user_id = ${eve.id}`);
    expect((await eve.api.get(`/campaigns/${id}`)).body.reply_to_connected).toBe(false);
  });
});

describe('and this is asked again when an inbound message is matched', () => {
  it('an account that was connected, or made private, afterwards: the reply has its effect, and nobody reads its words', async () => {
    const id = await campaignOf(eve.id, { reply_to: BOB, reply_to_set_by: eve.id });
    expect((await eve.api.get(`/campaigns/${id}`)).body.reply_to_connected).toBe(false);
    expect(await answered(id)).toMatchObject({ status: 'replied', details: null, excerpt: '' });
  });

  it('with the mailbox shared again its replies are events, with their words', async () => {
    await setShared(true);
    const id = await campaignOf(eve.id, { reply_to: BOB, reply_to_set_by: eve.id });
    expect(await answered(id)).toMatchObject({ status: 'replied', details: { body: 'The price is secret.' } });
    await setShared(false);
  });

  it('what the operator or an admin set is read', async () => {
    for (const reply_to_set_by of [null, 1])
      expect(await answered(await campaignOf(eve.id, { reply_to: BOB, reply_to_set_by }))).toMatchObject({
        details: { body: 'The price is secret.' },
      });
  });

  it('a setter who has left since changes nothing for a mailbox that is open to all', async () => {
    await setShared(true);
    const { id: left } = await member(app, 'manager');
    await api.post(`/users/${left}/disable`);
    const id = await campaignOf(eve.id, { reply_to: BOB, reply_to_set_by: left });
    expect((await eve.api.get(`/campaigns/${id}`)).body.reply_to_connected).toBe(true);
    await setShared(false);
  });

  it('a reply that reaches a private mailbox which is not asked for answers is an event without its words', async () => {
    expect(await answered(await campaignOf(eve.id))).toMatchObject({
      status: 'replied',
      details: { snippet: null, proof: 'id' },
      excerpt: '',
    });
  });
});
