import { beforeAll, describe, expect, it } from 'vitest';
import { type Classification, classifyRaw, VERDICTS, type Verdict } from '../../../src/mail/classify/index.ts';
import { hasLabelledMail, type LabelledMail, labelledMail, PARTS } from '../../support/labelled-mail.ts';

const BOUNCE: Verdict[] = ['hard_bounce', 'soft_bounce'];
const RIGHT: Record<string, Verdict[]> = {
  bounce: BOUNCE,
  delayed: ['delay'],
  feedback: ['feedback_report'],
  autoreply: ['auto_reply'],
  'unsubscribe-request': ['unsubscribe_request'],
  ...Object.fromEntries(['reply', 'in-thread', 'helpdesk-reply', 'human'].map((kind) => [kind, ['reply']])),
  ...Object.fromEntries(
    ['delivered', 'mdn', 'spam', 'newsletter', 'list', 'bot-notification', 'calendar', 'challenge-response', 'mta-notice'].map((kind) => [
      kind,
      ['other'],
    ]),
  ),
};
const REPLIES = ['reply', 'in-thread', 'helpdesk-reply', 'human'];

/** Labels that we dispute. They are listed here, not edited, with a description of what the mail really is. */
const DISPUTED: Record<string, string> = {
  'bounces/tt_bounce_12_soft.txt': 'Google warns that delivery is delayed',
  'bounces/tt_bounce_18.txt': 'Google warns that delivery is delayed',
  'bounces/tt_bounce_19.txt': 'Google warns that delivery is delayed',
  'bounces/bounce-auto-respond.txt': 'a feedback report of type abuse',
  'bounces/unknown_code_bounce_01.txt': 'soft: "failed due to a full mailbox"',
  'kumomta-4.eml': 'Action: delayed',
  'bounce/0608.bounce_message-09.eml': 'Action: delayed',
  'bounce/0608.bounce_message-11.eml': 'Action: delayed',
  'bounce/no-mx.eml': 'Action: delayed',
  'bounce/delayed.eml': 'Action: failed',
  'bounce/delayed-broken.eml': 'Action: failed',
  'corpus/spam-bogus-email-in-report.msg': 'spam, sent by nobody who returns mail',
  'corpus/spam-lots-of-bogus-addresses.msg': 'spam, sent by nobody who returns mail',
  'corpus/spam-with-image.msg': 'spam, sent by nobody who returns mail',
  'corpus/whitelist.msg': 'a delivery status that failed',
  'eml/hotmailbounce.txt': 'a complaint that Hotmail passes on',
  'eml/unsubscribe.txt': 'no message but the log of a program',
  'spam-fake-replies/spam-2-00169.eml': 'an Exchange server returns spam to its forged sender',
};

interface Sample extends LabelledMail {
  result: Classification;
}

let samples: Sample[] = [];
let milliseconds = 0;

beforeAll(async () => {
  if (!hasLabelledMail) return;
  for (const mail of labelledMail()) {
    const begin = performance.now();
    const { result } = await classifyRaw(mail.raw);
    milliseconds += performance.now() - begin;
    samples.push({ ...mail, result });
  }
  const isGold = ({ label_source: source }: Sample) => !/^(none upstream|rule:)/.test(source ?? 'none upstream');
  printTable('gold', samples.filter(isGold));
  printTable(
    'silver',
    samples.filter((sample) => !isGold(sample)),
  );
  console.log(
    `${samples.length} mails, ${Math.round((samples.length * 1_000) / milliseconds)} a second; disputed: ${Object.keys(DISPUTED).length}`,
  );
  samples = samples.filter(({ file }) => DISPUTED[file] === undefined);
});

/** Prints the verdicts on the mails of each kind. Gold labels come from people, silver ones from other programs and rules. */
function printTable(labels: string, mails: readonly Sample[]): void {
  const kinds = [...new Set(mails.map(({ kind }) => kind))].sort();
  const row = (kind: string) => [
    kind.padEnd(20),
    ...VERDICTS.map((verdict) => {
      const count = mails.filter((each) => each.kind === kind && each.result.verdict === verdict).length;
      return String(count || '').padStart(verdict.length + 2);
    }),
  ];
  const head = [labels.padEnd(20), ...VERDICTS.map((verdict) => `  ${verdict}`)];
  console.log([head, ...kinds.map(row)].map((cells) => cells.join('')).join('\n'));
}

/** Asserts the share of right verdicts in each part, and prints the wrong ones of the tuned part. */
function expectShare(what: string, chosen: readonly Sample[], isRight: (sample: Sample) => boolean, least: number): void {
  for (const part of PARTS) {
    const all = chosen.filter((sample) => sample.part === part);
    if (all.length === 0) continue;
    const wrong = all.filter((sample) => !isRight(sample));
    const share = 1 - wrong.length / all.length;
    console.log(`${what}, ${part}: ${all.length - wrong.length} of ${all.length}, ${(share * 100).toFixed(1)} %`);
    // Do not reveal which held-out mails are wrong.
    for (const { folder, file, kind, result } of part === 'tuned' ? wrong.slice(0, 12) : [])
      console.log(`  ${kind}: ${folder}/${file} is ${result.verdict}, ${result.recipient}: ${result.reasons.join('; ')}`);
    expect(share, `${what}, ${part}`).toBeGreaterThanOrEqual(least);
  }
}

const ofKind = (...kinds: string[]) => samples.filter(({ kind }) => kinds.includes(kind));
const hasRightVerdict = ({ kind, result }: Sample) => RIGHT[kind]?.includes(result.verdict) ?? true;

const HARD = new Set(['userunknown', 'hostunknown', 'hasmoved', 'notaccept', 'suspend', 'user_unknown', 'user_disabled', 'hard']);
const SOFT = new Set(['mailboxfull', 'expired', 'systemfull', 'over_quota', 'soft']);

/** True if a reason means that the address is permanently bad; undefined if labels of that kind do not say. */
function isHardBy(reason: string | null | undefined): boolean | undefined {
  if (reason === null || reason === undefined) return undefined;
  return HARD.has(reason) ? true : SOFT.has(reason) ? false : undefined;
}

/** Returns mails whose labelled recipient is an address, and not a pipe, a file or a filter of the server. */
const named = (gold: boolean) =>
  ofKind('bounce', 'delayed').filter(
    ({ recipients, recipients_source: source, synthetic, result }) =>
      synthetic !== true &&
      /bounce|delay/.test(result.verdict) &&
      recipients?.some((address) => /^[^\s"|@]+@[^\s@]+$/.test(address)) &&
      (source === undefined || source.includes('gold')) === gold,
  );
const isNamed = ({ recipients, result }: Sample) =>
  recipients?.some((address) => address.toLowerCase() === result.recipient?.toLowerCase()) ?? false;

describe.skipIf(!hasLabelledMail)('labelled mail', () => {
  it('bounces are recognised: 99 %', () => expectShare('bounces', ofKind('bounce'), hasRightVerdict, 0.99));
  it('delays are no bounces: 95 %', () => expectShare('delays', ofKind('delayed'), hasRightVerdict, 0.95));
  it('complaints are recognised: 99 %', () => expectShare('complaints', ofKind('feedback'), hasRightVerdict, 0.99));

  it('hard and soft as the labels: 95 %', () => {
    const reasonOf = ({ std_reason, type }: Sample) => isHardBy(std_reason) ?? isHardBy(type);
    const silverOf = ({ derived }: Sample) => isHardBy(derived?.sisimai_5_1_0p3?.[0]?.reason);
    const bounces = ofKind('bounce').filter(({ result }) => BOUNCE.includes(result.verdict));
    for (const [name, of] of [
      ['gold', reasonOf],
      ['silver', silverOf],
    ] as const)
      expectShare(
        `hard or soft (${name})`,
        bounces.filter((sample) => of(sample) !== undefined),
        (sample) => (sample.result.verdict === 'hard_bounce') === of(sample),
        0.95,
      );
  });

  it('the recipient is exact: 97 %', () => {
    expectShare('recipients (gold)', named(true), isNamed, 0.97);
    expectShare('recipients (silver)', named(false), isNamed, 0.95);
  });

  it('automatic replies are recognised: 90 %', () => expectShare('automatic replies', ofKind('autoreply'), hasRightVerdict, 0.9));

  it('replies of people are taken for nothing else: 99 %', () => expectShare('replies', ofKind(...REPLIES), hasRightVerdict, 0.99));

  it('no reply of a person is taken for a bounce', () =>
    expectShare('replies that are no bounces', ofKind(...REPLIES), ({ result }) => !/bounce|delay/.test(result.verdict), 1));

  it('spam and other mail is taken for no bounce: 0.5 %', () => {
    const others = samples.filter(({ kind }) => RIGHT[kind]?.[0] === 'other' && kind !== 'mta-notice');
    expectShare('other mail', others, ({ result }) => !BOUNCE.includes(result.verdict), 0.995);
  });
});
