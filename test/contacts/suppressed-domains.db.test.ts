import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCampaign, enrol, resumeEnrolment, stopEnrolment, suppressAddress, suppressInTx } from '../../src/campaigns/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { isSuppressed, removeSuppression, stashSuppressions } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { answerReply, explainCampaign, forecastCampaign, sendAnswers, testCampaign } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { workspace } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, insertReply, rowOf } from '../support/rows.ts';
import { enrolmentsOf, sendingInstallation, startSender } from '../support/sender.ts';

/** "Suppression of a domain (@example.com), in every place where an address is suppressed." */

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
const suppress = (email: string) => suppressAddress(app, caller, { email, reason: 'asked by phone' });
const startOne = (email: string) => startSender(installation, sink, { contacts: [{ email }] });
const standOf = async (campaignId: number) => (await enrolmentsOf(installation, campaignId))[0];

describe('a suppressed domain', () => {
  it.each([
    ['@acme.example', 'ada@acme.example', true],
    ['@ACME.example', 'ada@acme.EXAMPLE', true],
    ['@acme.example', 'ada@mail.berlin.acme.example', true],
    ['*@acme.example', 'ada@acme.example', true],
    ['@acme.example', 'ada@notacme.example', false],
    ['@acme.example', 'ada@acme.example.org', false],
    ['@acme.example', 'acme.example@example.org', false],
    ['@mail.acme.example', 'ada@acme.example', false],
    ['@bücher.example', 'ada@xn--bcher-kva.example', true],
    ['@xn--bcher-kva.example', 'ada@bücher.example', true],
    ['@BÜCHER.example', 'ada@mail.bücher.example', true],
  ])('%s stops %s: %s', async (domain, address, expected) => {
    const { email } = await suppress(domain);
    expect(await isSuppressed(app.db, app, 1, address)).toBe(expected);
    await removeSuppression(app, caller, domain.toUpperCase());
    expect(await isSuppressed(app.db, app, 1, address)).toBe(false);
    expect(email).toMatch(/^@[a-z\d.-]+$/);
  });

  it.each([
    '@',
    '@example',
    '@a b.example',
    '@-a.example',
    '@example..org',
    'example.org',
    '@x@example.org',
  ])('%s is refused: one label is a whole country', async (text) => {
    await expect(suppress(text)).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('email: must be one') });
  });

  it.each(['@co.uk', '*@com.br', '@AC.JP'])('%s is refused: it has the domains of many organisations', async (text) => {
    await expect(suppress(text)).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('many organisations') });
  });

  it('holds in the whole installation, but that of a mailbox provider in its workspace, whose people have nothing to do with each other', async () => {
    const elsewhere = await workspace(app);
    await suppress('@globex.example');
    await suppress('@gmail.com');
    const stopped = (email: string) => Promise.all([1, elsewhere].map((id) => isSuppressed(app.db, app, id, email)));
    expect(await stopped('ada@globex.example')).toEqual([true, true]);
    expect(await stopped('ada@gmail.com')).toEqual([true, false]);
    const narrow = { ...app, config: { ...app.config, suppressionScope: 'workspace' as const } };
    expect(await isSuppressed(app.db, narrow, elsewhere, 'ada@globex.example')).toBe(false);
  });

  it('made after a backup is kept when the backup is restored', async () => {
    await suppress('@hooli.example');
    await app.db.bulk(async (tx) => {
      const putBack = await stashSuppressions(tx);
      await tx.query(sql`delete from suppressions where email = '@hooli.example'`);
      expect(await putBack()).toBe(1);
    });
    expect(await isSuppressed(app.db, app, 1, 'ada@mail.hooli.example')).toBe(true);
  });

  it('stops what is under way there and below, in every workspace, and nothing else', async () => {
    const elsewhere = await workspace(app);
    const enrolled = async (email: string, workspaceId = 1) => {
      const campaign = await insertCampaign(app, { workspace_id: workspaceId });
      const contact_id = await insertContact(app, { email, workspace_id: workspaceId });
      return insertEnrolment(app, campaign, { contact_id, workspace_id: workspaceId });
    };
    const all = [
      await enrolled('ada@initech.example'),
      await enrolled('ada@mail.INITECH.example'),
      await enrolled('ada@initech.example', elsewhere),
      await enrolled('initech.example@umbrella.example'),
    ];
    await suppress('@initech.example');
    const statuses = await Promise.all(all.map(async ({ id }) => (await rowOf<{ status: string }>(app, 'enrolments', id)).status));
    expect(statuses).toEqual(['stopped', 'stopped', 'stopped', 'active']);
  });
});

/** Every place that checks an address, with an address in a suppressed domain. */
const PLACES: Record<string, (address: string, domain: string) => Promise<void>> = {
  'the permit before each email': async (address, domain) => {
    const { batch, campaignId, contactIds } = await startOne('before@free.example');
    await suppress(domain);
    await app.db.query(sql`update contacts set email = ${address} where id = ${contactIds[0]}`);
    expect(await batch()).toMatchObject({ sent: 0 });
    expect(await standOf(campaignId)).toMatchObject({ status: 'stopped', stop_reason: 'suppressed' });
  },
  enrolling: async (address, domain) => {
    const { campaignId } = await startOne('first@free.example');
    await suppress(domain);
    await enrol(app, caller, campaignId, { contact_ids: [await insertContact(app, { email: address })] });
    expect((await enrolmentsOf(installation, campaignId))[1]).toMatchObject({ status: 'stopped', stop_reason: 'suppressed' });
  },
  'planning, forecast, explain and check': async (address, domain) => {
    const { campaignId, batch } = await startOne(address);
    expect(await forecastCampaign(app, caller, campaignId, 10)).toHaveLength(1);
    await suppress(domain);
    expect(await forecastCampaign(app, caller, campaignId, 10)).toEqual([]);
    expect(JSON.stringify(await explainCampaign(app, caller, campaignId))).toContain('1 contact is suppressed and stopped.');
    expect(JSON.stringify(await checkCampaign(app, caller, campaignId))).not.toContain('1 contact');
    expect(await batch()).toMatchObject({ sent: 0 });
  },
  'resuming an enrolment': async (address, domain) => {
    const { campaignId } = await startOne(address);
    const { id = 0 } = (await standOf(campaignId)) ?? {};
    await stopEnrolment(app, caller, id);
    await suppress(domain);
    await expect(resumeEnrolment(app, caller, id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('suppressed'),
    });
  },
  'an answer, when it is queued': async (address, domain) => {
    const replyId = await repliedBy(address);
    await suppress(domain);
    const answered = answerReply(app, caller, replyId, { text: 'Yes' });
    await expect(answered).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('is suppressed') });
  },
  'an answer, right before it is sent': async (address, domain) => {
    const replyId = await repliedBy(address);
    await answerReply(app, caller, replyId, { text: 'Yes' });
    await suppress(domain);
    const { account_id } = await rowOf<{ account_id: number }>(app, 'replies', replyId);
    expect(await sendAnswers(app, account_id)).toBe(0);
  },
  'a test of a campaign': async (address, domain) => {
    const { campaignId } = await startOne('tested@free.example');
    await suppress(domain);
    const tested = testCampaign(app, caller, campaignId, { to: address }, { decorate: decorateEmail, linkOf });
    await expect(tested).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('is suppressed') });
  },
  'an import of contacts': async (address, domain) => {
    await suppress(domain);
    const path = join(installation.dataDir, 'people.csv');
    writeFileSync(path, `email\n${address}\nother-${address.replace('@', '-at-')}@free.example\n`);
    expect(await importContacts(app, caller, { path })).toMatchObject({ imported: 2, suppressed: 1 });
  },
  'what a bounce has suppressed anyway': async (address, domain) => {
    await suppress(domain);
    await app.db.tx((tx) => suppressInTx(tx, app, caller, { email: address, reason: 'bounce', endAs: 'bounced' }));
    expect(await removeSuppression(app, caller, address)).toBe(true);
  },
};

async function repliedBy(address: string): Promise<number> {
  const { batch, campaignId, contactIds } = await startOne(address);
  await batch();
  sink.messages.length = 0;
  const { id = 0 } = (await standOf(campaignId)) ?? {};
  return insertReply(app, { id, campaignId, contactId: contactIds[0] ?? 0 }, { sender: address });
}

describe('nothing is sent to an address of a suppressed domain by', () => {
  it.each(Object.entries(PLACES))('%s', async (place, ask) => {
    const domain = `${place.replaceAll(/\W+/g, '-')}.example`;
    await ask(`ada@mail.${domain}`, `@${domain}`);
    expect(sink.messages.filter(({ to }) => to.some((address) => address.endsWith(domain)))).toEqual([]);
  });
});
