import PostalMime from 'postal-mime';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeCampaign, changeWorkspace, previewCampaign } from '../../src/campaigns/index.ts';
import { readLink, unsubscribe } from '../../src/tracking/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { enrolmentsOf, giveMailbox, type SenderOptions, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const HOST = 'https://links.example.com';
const FOOTER = '<p>{{postal_address}} <a href="{{unsubscribe_url}}">Unsubscribe</a></p>';
const LINK = new RegExp(`${HOST}/u/([0-9a-z]+)/([\\w-]{22})`);

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: HOST });
  sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
});
beforeEach(() => {
  sink.messages.length = 0;
  return setFooter({ postal_address: 'Acme GmbH, Hauptstr. 1, 12345 Berlin', footer_html: FOOTER });
});

const setFooter = (change: Parameters<typeof changeWorkspace>[2]) => changeWorkspace(installation.app, installation.caller, change);

/** Sends the first email of a campaign with this body, and returns it with its preview. */
async function send(body_html: string, options: SenderOptions = {}) {
  const { app, caller } = installation;
  const untracked = { track_opens: false, ...options.campaign };
  const sender = await startSender(installation, sink, { steps: [{ body_html }], ...options, campaign: untracked });
  const preview = await previewCampaign(app, caller, sender.campaignId, sender.contactIds[0] ?? 0);
  await sender.batch();
  const message = sink.messages.at(-1);
  const { html = '', text = '' } = message === undefined ? {} : await PostalMime.parse(message.raw);
  const optOut = message?.headers.get('list-unsubscribe')?.match(/^<([^>]*)>/)?.[1] ?? '';
  return { ...sender, preview, html: html.trim(), text, optOut };
}

describe('{{unsubscribe_url}}', () => {
  it('is the link of the List-Unsubscribe header, in the HTML and in the text part; tracking leaves it alone', async () => {
    const { html, text, optOut } = await send(
      '<p>Hi <a href="{{unsubscribe_url}}">no more</a> <a href="https://example.org/">offer</a></p>',
    );
    expect(optOut).toMatch(LINK);
    expect(html).toContain(`<a href="${optOut}">no more</a>`);
    expect(html).toContain(`<a href="${HOST}/c/`);
    expect(text).toContain(`no more [${optOut}]`);
  });

  it('ends the enrolment of its email', async () => {
    const { app } = installation;
    const { html, campaignId } = await send('{{unsubscribe_url}}', { steps: [{ body_html: '{{unsubscribe_url}}' }, { body_html: 'x' }] });
    const [, mail = '', signature = ''] = LINK.exec(html) ?? [];
    await unsubscribe(app, readLink(app.sealer, 'u', { mail, signature })?.outboxId ?? 0, null);
    expect(await enrolmentsOf(installation, campaignId)).toMatchObject([{ status: 'stopped', stop_reason: 'unsubscribed' }]);
  });

  it('is an email to the sender where the installation has no public address', async () => {
    const { app } = installation;
    const preview = async () => {
      const { accountId, campaignId, contactIds } = await startSender(installation, sink, {
        steps: [{ body_html: '{{unsubscribe_url}}' }],
      });
      await giveMailbox(installation, accountId, 1);
      const nowhere = { ...app, config: { ...app.config, publicUrl: null } };
      return previewCampaign(nowhere, installation.caller, campaignId, contactIds[0] ?? 0);
    };
    expect((await preview()).steps[0]?.body_html).toMatch(/^mailto:sender-\d+@example\.com\?subject=unsubscribe$/);
  });
});

describe('the footer of the workspace', () => {
  const footer = (optOut: string) => `<p>Acme GmbH, Hauptstr. 1, 12345 Berlin <a href="${optOut}">Unsubscribe</a></p>`;

  it('is added to an email whose body has no {{unsubscribe_url}}, at the end of its body', async () => {
    const plain = await send('<p>Hi</p>');
    expect(plain.html).toBe(`<p>Hi</p>${footer(plain.optOut)}`);
    const document = await send('<html><body><p>Hi</p></body></html>');
    expect(document.html).toBe(`<html><body><p>Hi</p>${footer(document.optOut)}</body></html>`);
  });

  it('is added where people see it: a comment has no end of the body, and no way out', async () => {
    const commented = await send('<html><body><!-- old: </body> {{unsubscribe_url}} --><p>Hi</p></body></html>');
    expect(commented.html).toMatch(/ --><p>Hi<\/p><p>Acme GmbH.*<\/body><\/html>$/);
  });

  it('is not added to a body with {{unsubscribe_url}}, nor in a campaign whose footer is off', async () => {
    const own = await send('<p>{{unsubscribe_url}}</p>');
    expect(own.html).toBe(`<p>${own.optOut}</p>`);
    const off = await send('<p>Hi</p>', { campaign: { footer: false } });
    expect(off.html).toBe('<p>Hi</p>');
    await changeCampaign(installation.app, installation.caller, off.campaignId, { footer: true });
  });

  it('is rendered in the preview as in the email that leaves, but for the link, which is the email’s own', async () => {
    const body = '<p>Hi {{name}}, {{postal_address}}</p>';
    const { preview, html, optOut } = await send(body);
    expect(preview.steps[0]?.body_html).toBe(html.replace(optOut, `${HOST}/u/preview`));
  });

  it('needs an unsubscribe link and known placeholders: a mistake would hold every email of the workspace', async () => {
    await expect(setFooter({ footer_html: '<p>Bye</p>' })).rejects.toMatchObject({
      message: 'footer: must contain {{unsubscribe_url}}, for example <a href="{{unsubscribe_url}}">Unsubscribe</a>',
    });
    await expect(setFooter({ footer_html: '{{#if company}}{{unsubscribe_url}}{{/if}}' })).rejects.toMatchObject({
      message: expect.stringContaining('footer: must always contain {{unsubscribe_url}}'),
    });
    await expect(setFooter({ footer_html: '{{unsubscribe_url}} {{nope}}' })).rejects.toMatchObject({
      message: 'footer: there is no field {{nope}}',
    });
    await expect(setFooter({ postal_address: 'a\nb' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await setFooter({})).toMatchObject({ postal_address: 'Acme GmbH, Hauptstr. 1, 12345 Berlin', footer_html: FOOTER });
  });

  it('can be removed; {{postal_address}} without one is empty', async () => {
    expect(await setFooter({ postal_address: null, footer_html: null })).toMatchObject({ postal_address: null, footer_html: null });
    expect((await send('<p>[{{postal_address}}]</p>')).html).toBe('<p>[]</p>');
  });
});
