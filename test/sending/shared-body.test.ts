import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { emailValues, type UnmergedStep } from '../../src/campaigns/index.ts';
import { textOf } from '../../src/mail/compose.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { type Body, type BodySource, type LinkFor, SharedBodies, writeBody } from '../../src/sending/batch/shared-body.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';

const sealer = createSealer('dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ');

interface Contact {
  name: string;
  company: string | null;
  field: string;
}

interface Campaign {
  body: string;
  footer?: string | null;
  signature?: string | null;
  subject?: string;
  isFollowUp?: boolean;
  publicUrl?: string | null;
  tracks?: boolean;
}

/** The emails of one step, as a batch has them. */
function emailsOf(campaign: Campaign, contacts: readonly Contact[]): BodySource[] {
  const { body, footer = null, signature = null, subject = 'About {{company|you}}', isFollowUp = false, tracks = true } = campaign;
  const { publicUrl = 'https://outreach.example' } = campaign;
  const app = { sealer, config: { publicUrl } } as unknown as App;
  const step = { subject, body_html: body, subject_b: null, body_html_b: null };
  return contacts.map(({ name, company, field }, index) => {
    const linked = { outboxId: 7 + index, senderAddress: 'me@example.com', reference: `ref${index}`, trackingHost: null };
    const link: LinkFor = (kind, url) => linkOf(app, linked, kind, url);
    const contact = { name, company, email: `p${index}@c${index}.example`, custom_fields: { field } };
    const email: UnmergedStep = {
      ...{ step, opening: step, isB: false, stepOrder: 1, contactId: index, spintax: false },
      values: emailValues(contact, ['field'], { unsubscribe_url: link('u'), postal_address: 'Main Street 1' }),
      ...{ signatureHtml: signature, footerHtml: footer, threadSubject: isFollowUp ? `About ${name}` : null },
    };
    const decorate = (html: string, of: LinkFor) =>
      decorateEmail(app, { ...linked, html, trackOpens: tracks, trackClicks: tracks, link: of }).html;
    return { email, link, decorate };
  });
}

const withText = (body: Body) => (body.fault === null ? { ...body, text: body.text ?? textOf(body.html) } : body);

/** Writes a batch, and expects of each email what it would be by itself. Returns how many were written from what they share. */
function shares(campaign: Campaign, contacts: readonly Contact[]): number {
  const bodies = new SharedBodies();
  let shared = 0;
  for (const source of emailsOf(campaign, contacts)) {
    const body = bodies.write(source, 'email');
    shared += Number(body.text !== undefined);
    expect(withText(body)).toEqual(withText(writeBody(source)));
  }
  return shared;
}

const PIECES = [
  ...['Hello ', ' ', '\n', 'x', 'Best regards', '<p>', '</p>', '<br>', '<h2>', '</h2>', '<b>', '</b>', '<pre>', '</pre>', '<hr>', '<wbr>'],
  ...['{{name}}', '{{first_name|there}}', '{{company}}', '{{company|you}}', '{{ field }}', '{{email}}', '{{domain}}', '{{signature}}'],
  ...['{{#if company}}', '{{else}}', '{{/if}}', '{{postal_address}}', '{{unsubscribe_url}}', '{{unknown}}', '{{', '}}', '{a|b}'],
  ...['<a href="https://example.org/">', '<a href="{{unsubscribe_url}}">', '<a href={{unsubscribe_url}}>', '</a>', '<a href="{{field}}">'],
  ...[
    '<a href="https://{{domain}}/x">',
    '<a href="https://example.org/?c={{company}}&amp;d">',
    '<a href="mailto:{{email}}">',
    '<a data-no-track href="a.example">',
  ],
  ...[
    '<a title="{{name}}" href=\'https://a.example\'>',
    '<a href="{{unsubscribe_url}}?a=1">',
    '<a href="https://{{unsubscribe_url}}">',
    'https://a.example',
  ],
  ...[
    '<img alt="{{name}}" src="https://a.example/{{field}}">',
    '<i class={{field}}>',
    '<i {{field}}>',
    '<{{field}}>',
    '</{{field}}>',
    '<',
    '>',
    '&',
    '&am',
    '&#',
    '"',
    "'",
  ],
  ...[
    '<!--',
    '-->',
    '--',
    '>',
    '<!-- -{{field}}>',
    '<style>p { color: {{field}} }</style>',
    '<textarea>',
    '</textarea>',
    '<xmp>',
    '</xmp>',
    '<title>{{name}}</title>',
  ],
  ...[
    '<ul><li>',
    '</li></ul>',
    '<ol start="{{field}}">',
    '<ol type="{{field}}">',
    '<ol>',
    '<li>',
    '</ol>',
    '<table><tr><td>',
    '</td></tr></table>',
    '<blockquote>',
    '</blockquote>',
  ],
  ...['</body>', '<body>', '\u200b', '\u00a0', '&nbsp;', '&lt;', 'ß', '<svg>', '</svg>', '<![CDATA[', ']]>', '<?php ', '<plaintext>'],
];
const VALUES = [
  ...[
    'Ada',
    'Ada Lovelace',
    'Acme Inc.',
    'AT&T',
    "O'Neil <x>",
    '"q"',
    'a',
    '3',
    'i',
    'lt;',
    'amp',
    '',
    ' ',
    ' Ada',
    'Ada ',
    'a  b',
    'a\nb',
    'a\tb',
  ],
  ...[
    'https://example.org/',
    'a.example',
    'https://a.example',
    'javascript:alert(1)',
    'mailto:x@y.example',
    '-',
    '--',
    '-->',
    '!',
    '--!',
    '</a>',
    '<b>',
    '<!--',
  ],
  ...[
    'ß',
    'straße',
    'İ',
    'Ως',
    'שלום',
    '👩‍👩‍👧',
    '\u200b',
    '\u00a0',
    'a\u200bb',
    '\ud800',
    '\u0000',
    '&amp;',
    '&#39;',
    '{{name}}',
    '{a|b}',
    'p3@c3.example',
    'c2.example',
  ],
];

const contact = fc.record({
  name: fc.constantFrom(...VALUES),
  company: fc.option(fc.constantFrom(...VALUES)),
  field: fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'grapheme', maxLength: 8 })),
});
const html = (maxLength: number) => fc.array(fc.constantFrom(...PIECES), { maxLength }).map((pieces) => pieces.join(''));

const ADA = { name: 'Ada Lovelace', company: "O'Neil & Sons", field: 'Paris' };

/** How many of ten emails are written from what they share. */
const sharesOf = (campaign: Campaign, contact: Partial<Contact> = {}) =>
  shares(
    campaign,
    Array.from({ length: 10 }, () => ({ ...ADA, ...contact })),
  );

describe('the bodies of a batch', () => {
  it.each([
    '<p>Hello {{first_name|there}},</p><p>{{company}} &amp; {{field}}</p>',
    '<p>Hello</p><a href="https://example.org/">{{company}}</a> <a href="{{unsubscribe_url}}">No more</a>',
    '<p>{{#if company}}{{company}}{{else}}you{{/if}}</p>{{signature}}',
    '<pre>{{name}}</pre><p title="{{company}}">x</p><!-- {{field}} --><style>p { color: red }</style>',
  ])('are written from what they share, but for the first two: %s', (body) => {
    const around = { body, signature: '<b>{{email}}</b>', footer: '<p>{{postal_address}} {{unsubscribe_url}}</p>' };
    expect(sharesOf(around)).toBe(8);
    expect(sharesOf({ ...around, publicUrl: null, isFollowUp: true, tracks: false })).toBe(8);
  });

  it.each([
    ['{{field}}', ' Paris'],
    ['{{field}}', 'Paris  France'],
    ['{{field}}', 'Paris\u200b'],
    ['<!-- -{{field}}> <b>x</b> -->', '-'],
    ['<a href="https://a.example">https://{{field}}</a>', 'a.example'],
    ['<a href="https://a.example">{{field}}</a>', 'https://a.example'],
    ['<a href="a.example">{{field}}<pre>{{name}}</pre></a>', 'a.example'],
  ])('are written by themselves where a value may change what is around it: %s, %j', (body, field) => {
    expect(sharesOf({ body, tracks: false })).toBe(8);
    expect(sharesOf({ body, tracks: false }, { field })).toBe(0);
  });

  it.each([
    '<a href="{{field}}">x</a>',
    '<a href="https://example.org/?q={{field}}">x</a>',
    '<i class={{field}}>x</i>',
    '<{{field}}>x',
    '&am{{field}}',
    '<h1>{{field}}</h1>',
    '<ol type="{{field}}"><li>x</li></ol>',
    '<plaintext><a href="{{field}}">x</a>',
    '<plaintext><a class={{field}}>x</a>',
    '{{unknown}}',
  ])('are written by themselves where a value stands in what it may change: %s', (body) => {
    expect(sharesOf({ body }, { field: 'a' })).toBe(0);
  });

  it('of two steps are told apart', () => {
    const bodies = new SharedBodies();
    const contacts = Array.from({ length: 5 }, () => ADA);
    const [one, other] = [emailsOf({ body: 'One {{name}}' }, contacts), emailsOf({ body: 'Two {{name}}' }, contacts)];
    for (const source of one.flatMap((email, index) => [email, other[index] as BodySource]))
      expect(withText(bodies.write(source, 'email'))).toEqual(withText(writeBody(source)));
  });

  it('are not shared of steps with more tags than what looks into them can take', () => {
    expect(sharesOf({ body: `${'<li>'.repeat(1_900)}{{name}}` })).toBe(8);
    expect(sharesOf({ body: `${'<li>'.repeat(19_000)}{{name}}` })).toBe(0);
  });

  it('are what they would be one by one, whatever the template and the values', () => {
    let shared = 0;
    const campaign = fc.record({
      ...{ body: html(10), footer: fc.option(html(4)), signature: fc.option(html(4)), subject: html(3), isFollowUp: fc.boolean() },
      ...{ publicUrl: fc.constantFrom('https://outreach.example', 'http://localhost:3000', null), tracks: fc.boolean() },
    });
    fc.assert(
      fc.property(campaign, fc.array(contact, { minLength: 1, maxLength: 4 }), (of, contacts) => {
        shared += shares(
          of,
          contacts.flatMap((one) => [one, one, one]),
        );
      }),
      { numRuns: 1_500 },
    );
    expect(shared).toBeGreaterThan(300);
  });
});
