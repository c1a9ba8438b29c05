import { beforeAll, expect, it } from 'vitest';
import { addStep, changeStep, listSteps } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { createTemplate } from '../../src/templates/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const BOMB = `<p>${Array.from({ length: 3_000 }, (_, id) => `<b id=${id}>`).join('')}</p>${'<p>x'.repeat(3_000)}`;

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
});

const STEP = { subject: 'S', subject_b: null, body_html_b: null, wait_days: 0, kind: 'email' } as const;

it('a step whose markup or links can’t be sent is refused where it is saved, as is a template; nothing changes', async () => {
  const { app, caller } = installation;
  const { campaignId } = await startSender(installation, sink);
  const [step] = await listSteps(app.db, caller, campaignId);
  const bad = '<a href="javascript:x">x</a>';
  const message = 'body_html: a link goes to "javascript:x"; use http, https, mailto or tel';
  await expect(addStep(app, caller, campaignId, { ...STEP, body_html: bad })).rejects.toMatchObject({ code: 'invalid_request', message });
  await expect(changeStep(app, caller, campaignId, step?.id ?? 0, { body_html_b: BOMB })).rejects.toMatchObject({
    message: 'body_html_b: nests HTML tags more than 200 levels deep',
  });
  const template = { name: 'T', type: 'template', subject: null, body_html: bad, is_shared_to_all: true } as const;
  await expect(createTemplate(app, caller, template)).rejects.toMatchObject({ message });
  expect(await listSteps(app.db, caller, campaignId)).toEqual([step]);
  // Notes of a call are only read by users.
  await addStep(app, caller, campaignId, { ...STEP, kind: 'call', body_html: bad });
});

it('an email that its values make too large is held with the reason; the others of the batch are sent', async () => {
  const { app } = installation;
  const now = app.clock.now();
  await app.db.query(sql`insert into custom_fields (workspace_id, name, key, field_type, created_at) values (1, 'A', 'a', 'text', ${now})`);
  const large = { custom_fields: { a: '"'.repeat(10_000) } };
  const { campaignId, batch } = await startSender(installation, sink, {
    steps: [{ body_html: '{{a}}'.repeat(1_000) }],
    contacts: [large, { custom_fields: { a: 'x' } }],
  });
  sink.messages.length = 0;
  expect(await batch()).toEqual({ sent: 1, other: 1 });
  const held = await app.db.query(sql`
    select status, due_at, content_fault from enrolments where campaign_id = ${campaignId} and content_fault is not null`);
  expect(held).toEqual([{ status: 'active', due_at: null, content_fault: 'the email is larger than 2 MiB with its values' }]);
});

it('a step of before that rule is held, not parsed into a tree that ends the daemon', async () => {
  const { app } = installation;
  const { campaignId, batch } = await startSender(installation, sink);
  await app.db.query(sql`update steps set body_html = ${BOMB} where campaign_id = ${campaignId}`);
  expect(await batch()).toEqual({ sent: 0, other: 1 });
  const [row] = await app.db.query(sql`select content_fault from enrolments where campaign_id = ${campaignId}`);
  expect(row).toEqual({ content_fault: 'the email nests HTML tags more than 200 levels deep' });
});
