import { describe, expect, it } from 'vitest';
import { noneText } from '../../src/cli/client/none-text.ts';
import { composeMessage } from '../../src/mail/compose.ts';

const DRAFT = {
  ...{
    from: { name: 'Anna', address: 'anna@acme.example' },
    to: { name: '', address: 'ada@example.org' },
    replyTo: null,
    subject: 'Hello',
  },
  ...{
    html: '<p>See <a href="https://go.acme.example/c/AAAA">the offer</a></p>',
    textHtml: '<p>See <a href="https://acme.example/offer">the offer</a></p>',
  },
  ...{ messageId: '<abcdefghijklmnopqrstuvwxyz@acme.example>', reference: 'abcdefghijklmnopqrstuvwxyz', inReplyTo: null, references: [] },
  ...{ date: new Date('2026-11-26T12:00:00Z'), timezone: 'UTC', headers: {} },
};

describe('"one header regex recognises all users of the tool" (D3.8)', () => {
  const message = composeMessage(DRAFT).toString();

  it('no header, boundary or Message-ID names a program', () => {
    expect(message).not.toMatch(/outreach|nodemailer|=_-abcdef/i);
    expect(message).toMatch(/boundary="?----=_Part_\d+_\d+\.\d+/);
  });

  it('"tracked links appear in the text part as 200 characters of base64": it has the link of the step', () => {
    const [, text = ''] = message.split(/Content-Type: text\/plain/);
    expect(text.split('Content-Type: text/html')[0]).toContain('the offer [https://acme.example/offer]');
    expect(text.split('Content-Type: text/html')[1]).toContain('go.acme.example/c/AAAA');
  });
});

describe('"none (every empty list)" says what there is none of, where, and what to do', () => {
  it.each([
    ['account:list', false, 'No accounts in workspace "Default"; make the first with: outreach account connect ADDRESS'],
    ['reply:list', true, 'No replies in workspace "Default" match.'],
    ['call:list', false, 'No calls in workspace "Default".'],
    ['campaign:contacts', true, 'No contacts in the campaign; enrol some with: outreach campaign enrol CAMPAIGN --list LIST'],
  ])('%s', (id, isFiltered, text) => expect(noneText(id, { workspace: 'Default', isFiltered })).toBe(text));
});
