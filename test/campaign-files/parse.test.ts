import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { campaignSchema } from '../../src/campaign-files/json-schema.ts';
import { parseCampaigns } from '../../src/campaign-files/parse.ts';
import { type DeclaredCampaign, declaredCampaign } from '../../src/campaign-files/schema.ts';
import { campaignYaml } from '../../src/campaign-files/write.ts';
import { WAIT } from '../../src/core/wait-text.ts';

const mistakesIn = (text: string) =>
  parseCampaigns(text).mistakes.map(({ line, field, message }) => `${line}: ${field === '' ? '' : `${field}: `}${message}`);

const GOOD = `name: Spring fair                 # finds the campaign
accounts: [anna@us.example, ben@us.example]
timezone: Europe/Berlin
days: [mon, tue, wed, thu, fri]
hours: 9-17
starts_at: 2026-12-01 09:00
ab_test: { split: 50, hours_b: 13-17 }
reply_to: null
track: { opens: true, clicks: true }
options: { stop_company: true, when_unknown: continue }
steps:
  - subject: A question, {{first_name}}
    text: |
      Hello {{first_name}},

      may I ask a question?
    b: { subject: Another question }
  - wait: 3 days
    body_file: step2.html
  - wait: 2 days
    call: Ask for Ms Meier
contacts: { list: Spring fair }
`;

describe('a file', () => {
  it('has every key of the documentation', () => {
    const { campaigns, mistakes } = parseCampaigns(GOOD);
    expect(mistakes).toEqual([]);
    expect(campaigns[0]?.campaign).toMatchObject({
      name: 'Spring fair',
      hours: '9-17',
      starts_at: '2026-12-01 09:00',
      steps: [{}, {}, {}],
    });
  });

  it('knows the line of each field, and of what would hold a missing one', () => {
    const [parsed] = parseCampaigns(GOOD).campaigns;
    const lines = [
      'name',
      'accounts[1]',
      'ab_test.hours_b',
      'steps[0].text',
      'steps[0].b.subject',
      'steps[1]',
      'steps[1].body',
      'steps[2].call',
      'steps[9]',
    ];
    expect(lines.map((field) => parsed?.lineOf(field))).toEqual([1, 2, 7, 13, 17, 18, 18, 21, 11]);
  });

  it('holds several campaigns, one a document', () => {
    const { campaigns } = parseCampaigns('name: One\n---\nname: Two\nhours: 9-12\n');
    expect(campaigns.map(({ campaign, lineOf }) => [campaign.name, lineOf('hours')])).toEqual([
      ['One', 1],
      ['Two', 4],
    ]);
  });
});

describe('each mistake names line and field', () => {
  it.each([
    ['', '1: there is no campaign in this file'],
    ['- name', '1: this is no campaign, which has keys such as name: Spring fair'],
    ['email,name', '1: this is no campaign, which has keys such as name: Spring fair'],
    ['hours: 9-17', '1: name: is required'],
    ['name: 7', '1: name: must be a string'],
    ['name: A\nhour: 9-17', '2: hour: unknown key; did you mean hours?'],
    ['name: A\nwindow: 9-17', /^2: window: unknown key; the keys here are name, accounts, timezone, days, hours, /],
    ['name: A\nname: B', '2: Map keys must be unique'],
    ['name: A\nsteps: [', /^2: Flow sequence in block collection must be/],
    ['name: A\naccounts: anna@us.example', '2: accounts: must be a list of addresses'],
    ['name: A\naccounts: [a@b.example, A@b.example]', '2: accounts: names an account twice'],
    ['name: A\ntimezone: Berlin', '2: timezone: must be an IANA time zone such as Europe/Berlin'],
    ['name: A\ndays:\n  - mon\n  - monday', '4: days[1]: must be one of mon, tue, wed, thu, fri, sat, sun'],
    ['name: A\nhours: 9', '2: hours: must be hours such as 9-17, from 0-24'],
    ['name: A\nhours: 9-25', '2: hours: must be hours such as 9-17, from 0-24'],
    ['name: A\nhours: 9-9', '2: hours: the two hours must differ; use 0-24 for the whole day'],
    ['name: A\nhours: [9-12, 14-14]', '2: hours[1]: the two hours must differ; use 0-24 for the whole day'],
    ['name: A\nab_test: { split: 100 }', '2: ab_test.split: must be at most 99'],
    ['name: A\ntrack: { opens: yes }', '2: track.opens: must be true or false'],
    ['name: A\noptions: { holiday: DE-BY }', '2: options.holiday: unknown key; did you mean holidays?'],
    ['name: A\noptions: { when_unknown: stop }', '2: options.when_unknown: must be wait or continue'],
    ['name: A\nsteps:\n  - subject: S', '3: steps[0]: needs a body, a text or a call'],
    ['name: A\nsteps:\n  - body: B\n    text: T', '4: steps[0].text: give body or text, not both'],
    ['name: A\nsteps:\n  - call: C', "3: steps[0].call: step 1 can't be a call"],
    ['name: A\nsteps:\n  - body: B\n  - call: C\n    subject: S', '5: steps[1].subject: a call has notes only'],
    ['name: A\nsteps:\n  - body: B\n    wait: 3', `4: steps[0].wait: ${WAIT}`],
    ['name: A\nsteps:\n  - body: B\n    wait: soon', `4: steps[0].wait: ${WAIT}`],
    ['name: A\nsteps:\n  - body: B\n    wait: 6 minutes', `4: steps[0].wait: ${WAIT}`],
    ['name: A\nsteps:\n  - body: B\n    wait: 721 hours', '4: steps[0].wait: at most 720 hours'],
    ['name: A\nsteps:\n  - body: B\n    wait: 400 days', '4: steps[0].wait: at most 365 days'],
    ['name: A\nsteps:\n  - body: B\n    b: {}', '4: steps[0].b: needs a subject or a body'],
    ['name: A\nsteps:\n  - body: B\n    b: { bdy: X }', /^4: steps\[0\]\.b\.bdy: unknown key; did you mean body\?$/],
    ['name: A\ncontacts: Spring', '2: contacts: must be an object'],
  ])('%j: %s', (text, mistake) => {
    const found = mistakesIn(text);
    expect(found[0]).toEqual(mistake instanceof RegExp ? expect.stringMatching(mistake) : mistake);
  });

  it('all mistakes at once, in the order of the lines', () => {
    expect(
      mistakesIn('name: A\nhour: 9\ntimezone: X\nsteps:\n  - body: B\n    wait: x\n  - wait: 3 days\n').map((each) => each.split(': ')[1]),
    ).toEqual([...['hour', 'timezone', 'steps[0].wait', 'steps[1]']]);
  });

  it('an alias that multiplies itself is refused', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...[...'bcdefgh'].map((key, index) => `${key}: &${key} [${Array(10).fill(`*${'abcdefg'[index]}`)}]`),
    ];
    expect(mistakesIn(bomb.join('\n'))).toEqual([expect.stringMatching(/alias/i)]);
  });
});

describe('what export writes', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom(' ', '\n', '\t', 'a', '#', ':', '-', '"', "'", '{{x}}', '|', '…')).map((parts) => parts.join('')),
  );
  const body = text.filter((each) => each !== '' && !each.includes('\0') && each.isWellFormed());
  it('is read again as it was', () => {
    fc.assert(
      fc.property(fc.record({ name: body, steps: fc.array(fc.record({ body, subject: text }), { maxLength: 3 }) }), (values) => {
        const checked = declaredCampaign.safeParse(values);
        fc.pre(checked.success);
        const declared = checked.data as DeclaredCampaign;
        const { campaigns, mistakes } = parseCampaigns(campaignYaml(declared));
        expect(mistakes).toEqual([]);
        expect(campaigns[0]?.campaign).toEqual(declared);
      }),
      { numRuns: 500 },
    );
  });

  it.each([' \n', '\n \n', ' a\nb', '\n\ta\n'])('a body that begins with white space: %j', (body) => {
    const declared = declaredCampaign.parse({ name: 'A', steps: [{ body }] });
    expect(parseCampaigns(campaignYaml(declared)).campaigns[0]?.campaign).toEqual(declared);
  });

  it('reads well', () => {
    const campaign = declaredCampaign.parse({
      ...{ name: 'Spring fair', accounts: ['anna@us.example'], days: ['mon', 'tue'], hours: '9-17', ab_test: null },
      steps: [
        { subject: 'S', body: '<p>One</p>\n<p>Two</p>' },
        { wait: '3 days', body: '<p>Three</p>' },
      ],
    });
    expect(campaignYaml(campaign)).toBe(
      `name: Spring fair
accounts: [anna@us.example]
days: [mon, tue]
hours: 9-17
ab_test: null
steps:
  - subject: S
    body: |-
      <p>One</p>
      <p>Two</p>
  - wait: 3 days
    body: <p>Three</p>
`,
    );
  });
});

it('docs/campaign.schema.json is the schema that checks a file; npm run docs writes it', () => {
  expect(JSON.parse(readFileSync('docs/campaign.schema.json', 'utf8'))).toEqual(campaignSchema());
});
