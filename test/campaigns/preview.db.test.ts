import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { previewCampaign } from '../../src/campaigns/preview/preview.ts';
import { createCustomField } from '../../src/contacts/index.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertContact, insertRow } from '../support/rows.ts';

let app: App;
let caller: Caller;
let account: number;
let contact: number;

beforeAll(async () => {
  ({ app, caller } = await testInstallation());
  await createCustomField(app, caller, { name: 'Colour', field_type: 'text' });
  const now = app.clock.now();
  const signature = await insertRow(app, 'templates', {
    ...{ workspace_id: 1, name: 'S', type: 'signature', body_html: '<hr>{{company}}', created_at: now, updated_at: now },
  });
  account = await insertAccount(app, { imap: '{}', signature_template_id: signature });
  contact = await insertContact(app, { name: 'Ada <A>', company: 'Engines & Co', custom_fields: { colour: 'red' } });
});

const preview = async (steps: object[], values = {}) =>
  previewCampaign(app, caller, await insertCampaign(app, { account_id: account, status: 'draft', ...values }, steps as never), contact);

/** The warnings that every campaign of this workspace has. */
const NO_WAY_OUT = [
  'step 1 has no visible way to opt out: put {{unsubscribe_url}} into its body, or set a footer for the workspace',
  'the workspace has no postal address; set one with: outreach workspace set --postal-address ADDRESS',
];

describe('preview', () => {
  it('renders every step for the contact as it would be sent, in both groups', async () => {
    const { steps, warnings } = await preview([
      { subject: 'Hi {{name}}', subject_b: 'Yo {{first_name}}', body_html: '<p>{{name}} {{colour}}</p>{{signature}}' },
      { kind: 'call', body_html: 'Ring {{name}}', wait_days: 1 },
      { subject: 'ignored', body_html: 'A', body_html_b: 'B', wait_days: 2 },
    ]);
    expect(warnings).toEqual(NO_WAY_OUT);
    const first = '<p>Ada &lt;A&gt; red</p><hr>Engines &amp; Co';
    const common = { kind: 'email', attachments: [], unknown: [], fault: null };
    expect(steps).toEqual([
      { ...common, step_order: 1, variant: 'A', wait_days: 0, wait: '0 days', subject: 'Hi Ada <A>', body_html: first },
      { ...common, step_order: 1, variant: 'B', wait_days: 0, wait: '0 days', subject: 'Yo Ada', body_html: first },
      { ...common, step_order: 2, kind: 'call', variant: 'A', wait_days: 1, wait: '1 day', subject: null, body_html: 'Ring Ada <A>' },
      { ...common, step_order: 3, variant: 'A', wait_days: 2, wait: '2 days', subject: 'Re: Hi Ada <A>', body_html: 'A' },
      { ...common, step_order: 3, variant: 'B', wait_days: 2, wait: '2 days', subject: 'Re: Yo Ada', body_html: 'B' },
    ]);
  });

  it('shows group B only where it gets something else', async () => {
    const { steps } = await preview([{ subject: 'S' }, { body_html_b: 'B' }]);
    expect(steps.map((step) => `${step.step_order}${step.variant}`)).toEqual(['1A', '2A', '2B']);
  });

  it('warns about unknown placeholders, an empty subject, a large body and replies that nobody reads', async () => {
    const { steps, warnings } = await preview(
      [{ body_html: '{{nope}}', body_html_b: '{{nope}} {{never}}' }, { body_html: 'x'.repeat(100 * 1024 + 1) }],
      { reply_to: 'someone@example.org' },
    );
    expect(steps.map((step) => step.unknown)).toEqual([['nope'], ['nope', 'never'], []]);
    expect(warnings).toEqual([
      'replies go to someone@example.org, whose mailbox is not polled: replies and bounces will go unnoticed',
      ...NO_WAY_OUT,
      'step 1: unknown placeholder {{nope}}; its emails will be held',
      'step 1: the subject is empty',
      'step 1 (variant B): unknown placeholder {{nope}}, {{never}}; its emails will be held',
      'step 1 (variant B): the subject is empty',
      'step 2: the body is larger than 100 KiB; some email clients will clip it',
    ]);
  });

  it('a campaign or contact that is not there is not found; one without steps has nothing to show', async () => {
    await expect(previewCampaign(app, caller, 999_999, contact)).rejects.toMatchObject({ code: 'not_found' });
    const campaign = await insertCampaign(app, {}, []);
    await expect(previewCampaign(app, caller, campaign, 999_999)).rejects.toMatchObject({ code: 'not_found' });
    expect((await previewCampaign(app, caller, campaign, contact)).steps).toEqual([]);
  });

  it('an account that is gone is said', async () => {
    const gone = await insertAccount(app, { deleted_at: app.clock.now(), email: 'gone@example.com' });
    expect((await preview([{ subject: 'S' }], { account_id: gone })).warnings).toContain(
      'the account gone@example.com is archived or deleted',
    );
  });
});
