import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import {
  activateCampaign,
  changeStep,
  deleteStep,
  listSteps,
  pauseCampaign,
  releaseChangedContent,
  stopEnrolment,
} from '../../src/campaigns/index.ts';
import { changeContact, createCustomField } from '../../src/contacts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/log.ts';
import { sql } from '../../src/db/statement.ts';
import { readStatus } from '../../src/monitoring/index.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { changeTemplate, createTemplate, setTemplateArchived } from '../../src/templates/index.ts';
import { afterFile } from '../support/after-file.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount } from '../support/rows.ts';
import { enrolmentsOf, type Sender, type SenderOptions, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
});
beforeEach(() => installation.clock.set(TEST_START));

/** Sends the due emails, and returns the first contact's enrolment with its `failed` events. */
async function tryToSend({ batch, accountId, campaignId }: Sender) {
  const { app } = installation;
  await app.db.query(sql`update accounts set last_batch_at = null where id = ${accountId}`);
  const { sent } = await batch();
  const [enrolment] = await app.db.query<Record<string, unknown>>(sql`
    select status, stop_reason, content_fault as fault, due_at from enrolments where campaign_id = ${campaignId} order by id limit 1`);
  const failed = await app.db.query<{ reason: string }>(sql`
    select details->>'reason' as reason from events where campaign_id = ${campaignId} and type = 'failed' order by id`);
  return { sent, ...enrolment, failed: failed.map(({ reason }) => reason) };
}

const senderOf = (body_html: string, options: SenderOptions = {}) =>
  startSender(installation, sink, { steps: [{ body_html }], ...options });
const FAULT = 'unknown placeholder {{nope}}';
const HELD = { sent: 0, status: 'active', stop_reason: null, fault: FAULT, due_at: null, failed: [FAULT] };

describe('a placeholder that nobody knows', () => {
  it('never burns a contact: the enrolment stays held, with one `failed` event for the fault, not one a day', async () => {
    const sender = await senderOf('<p>{{nope}}</p>');
    for (let day = 0; day < 5; day++) {
      installation.clock.set(new Date(Date.parse(TEST_START.toString()) + day * DAY));
      await releaseChangedContent(installation.app);
      expect(await tryToSend(sender)).toEqual(HELD);
    }
  });

  it('goes on by itself at once when the step is changed, and another fault is an event of its own', async () => {
    const { app, caller } = installation;
    const sender = await senderOf('<p>{{nope}}</p>');
    expect(await tryToSend(sender)).toEqual(HELD);
    const [step] = await listSteps(app.db, caller, sender.campaignId);
    const change = (body_html: string) => changeStep(app, caller, sender.campaignId, step?.id ?? 0, { body_html });
    await change('<p>{{never}}</p>');
    const other = 'unknown placeholder {{never}}';
    expect(await tryToSend(sender)).toEqual({ ...HELD, fault: other, failed: [FAULT, other] });
    await change('<p>{{nope}} again</p>');
    expect(await tryToSend(sender)).toEqual({ ...HELD, failed: [FAULT, other] });
    await change('<p>{{name}}</p>');
    expect(await tryToSend(sender)).toMatchObject({ sent: 1, status: 'completed', fault: null });
  });

  it('goes on by itself when a custom field of that name comes to exist', async () => {
    const { app, caller } = installation;
    const sender = await senderOf('<p>{{shoe_size}}</p>');
    expect(await tryToSend(sender)).toMatchObject({ sent: 0, fault: 'unknown placeholder {{shoe_size}}' });
    expect(await releaseChangedContent(app)).toBe(0);
    await createCustomField(app, caller, { name: 'Shoe size', field_type: 'number' });
    await releaseChangedContent(app);
    expect(await tryToSend(sender)).toMatchObject({ sent: 1, status: 'completed' });
  });

  it('is looked at again when the contact changes; the same fault is no second event', async () => {
    const { app, caller } = installation;
    const sender = await senderOf('<p>{{nope}}</p>');
    await tryToSend(sender);
    await changeContact(app, caller, sender.contactIds[0] ?? 0, { name: 'Somebody Else' });
    expect(await releaseChangedContent(app)).toBe(1);
    expect(await tryToSend(sender)).toEqual(HELD);
    expect(await releaseChangedContent(app)).toBe(0);
  });

  it('in the signature holds until the signature is changed', async () => {
    const { app, caller } = installation;
    const signature = { name: 'S', type: 'signature', subject: null, body_html: '{{nope}}', is_shared_to_all: true } as const;
    const { id } = await createTemplate(app, caller, signature);
    const sender = await senderOf('<p>Hi</p>{{signature}}');
    await app.db.query(sql`update accounts set signature_template_id = ${id} where id = ${sender.accountId}`);
    expect(await tryToSend(sender)).toEqual(HELD);
    await changeTemplate(app, caller, id, { body_html: 'Bye' });
    expect(await releaseChangedContent(app)).toBe(1);
    expect(await tryToSend(sender)).toMatchObject({ sent: 1, status: 'completed' });
  });

  it('on a step that is deleted: its contacts continue with the next step', async () => {
    const { app, caller } = installation;
    const sender = await senderOf('', { steps: [{ body_html: '{{nope}}' }, { body_html: 'Second' }] });
    await tryToSend(sender);
    const [step] = await listSteps(app.db, caller, sender.campaignId);
    await deleteStep(app, caller, sender.campaignId, step?.id ?? 0);
    expect(await tryToSend(sender)).toMatchObject({ sent: 1, status: 'completed', fault: null });
  });

  it('is named by explain with the step and the number of contacts, and counted by status', async () => {
    const { app, caller } = installation;
    const before = (await readStatus(app)).contacts_held;
    const sender = await senderOf('<p>{{nope}}</p>', { contacts: [{}, {}] });
    await tryToSend(sender);
    const { reasons } = await explainCampaign(app, caller, sender.campaignId);
    expect(reasons).toEqual([
      '2 contacts are held at step 1: unknown placeholder {{nope}}. To continue, change the step, the custom fields or the contact.',
    ]);
    expect((await readStatus(app)).contacts_held).toBe(before + 2);
  });

  it('ends with its enrolment: a contact who is stopped is held by nothing', async () => {
    const sender = await senderOf('<p>{{nope}}</p>');
    await tryToSend(sender);
    const [row] = await enrolmentsOf(installation, sender.campaignId);
    await stopEnrolment(installation.app, installation.caller, row?.id ?? 0);
    expect(await tryToSend(sender)).toMatchObject({ status: 'stopped', stop_reason: 'manual', fault: null });
  });

  it('is named in the log when the campaign is activated', async () => {
    const { app, caller } = installation;
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => lines.push(line) });
    const { campaignId } = await senderOf('<p>{{nope}}</p>');
    await pauseCampaign(app, caller, campaignId);
    await activateCampaign({ ...app, log }, caller, campaignId, null);
    expect(lines.join('')).toContain('step 1: unknown placeholder {{nope}}');
  });
});

describe('a signature', () => {
  it('that is archived is not used in new emails, and can’t be chosen; unarchived, it is used again', async () => {
    const { app, caller } = installation;
    const signature = { name: 'S', type: 'signature', subject: null, body_html: '[Yours]', is_shared_to_all: true } as const;
    const { id } = await createTemplate(app, caller, signature);
    const bodyOf = async (isArchived: boolean) => {
      await setTemplateArchived(app, caller, id, isArchived);
      const sender = await senderOf('<p>Hi</p>{{signature}}');
      await app.db.query(sql`update accounts set signature_template_id = ${id} where id = ${sender.accountId}`);
      await sender.batch();
      const otherAccountId = await insertAccount(app);
      const giveToOther = () => setAccount(app, caller, otherAccountId, { signature_template_id: id });
      if (isArchived)
        await expect(giveToOther()).rejects.toMatchObject({
          message: `signature_template_id: there is no signature with the id ${id}`,
        });
      else await giveToOther();
      return sink.messages.at(-1)?.raw.toString().includes('[Yours]');
    };
    expect([await bodyOf(false), await bodyOf(true), await bodyOf(false)]).toEqual([true, false, true]);
  });
});
