import { describe, expect, it } from 'vitest';
import { optOutIn } from '../../../src/mail/opt-outs/opt-out.ts';
import { WEIGHTS } from '../../../src/mail/opt-outs/weights.ts';
import { sentences } from './sentences.ts';

const all = sentences().map((sentence) => ({ ...sentence, certainty: optOutIn(sentence.text)?.certainty ?? null }));
const share = (part: unknown[], whole: unknown[]) => part.length / whole.length;

const requests = all.filter(({ isRequest }) => isRequest);
const others = all.filter(({ isRequest }) => !isRequest);
const isFound = ({ certainty }: (typeof all)[number]) => certainty !== null;

it('finds most of the requests that rules and model were made with, for certain or likely', () => {
  const known = requests.filter(({ isPutAside, set }) => !isPutAside && set !== 'own-words' && set !== 'further-words');
  expect(share(known.filter(isFound), known)).toBeGreaterThanOrEqual(0.97);
});

// A request that is not found counts as an ordinary reply: it ends the sequence, and a person reads it. A fifth of the requests in the
// seventh set name no action ("My bin is full already"). The eighth has the usual wordings. Four of fourteen in the ninth are indirect, and
// two of ten in the tenth. `own-words` and `further-words` are known to the model; models that have not seen them find two thirds to three
// quarters, because most of their requests have unusual wordings.
it.each([
  ['own-words', 0.96],
  ['further-words', 0.93],
  ['seventh-exam', 0.85],
  ['eighth-exam', 0.96],
  ['ninth-exam', 0.9],
  ['tenth-exam', 0.92],
  ['eleventh-exam', 0.97],
])('finds most of %s', (set, least) => {
  const unknown = requests.filter((request) => request.set === set);
  const found = unknown.filter(isFound);
  console.log(`found: ${found.length} of ${unknown.length}, certain ${found.filter(({ certainty }) => certainty === 'certain').length}`);
  expect(share(found, unknown)).toBeGreaterThanOrEqual(least);
});

it('suppresses nobody by mistake, of more than 2,000 who ask for nothing', () => {
  expect(others.length).toBeGreaterThan(2_000);
  expect(others.filter(({ certainty }) => certainty === 'certain')).toEqual([]);
});

it.each([
  ['known', false, 0.01],
  ['put aside', true, 0.0099],
])('holds few by mistake: answers that are %s', (_, isPutAside, most) => {
  const answers = others.filter((other) => other.isPutAside === isPutAside);
  const held = answers.filter(({ certainty }) => certainty === 'likely');
  console.log(`held: ${held.length} of ${answers.length}`);
  expect(share(held, answers)).toBeLessThanOrEqual(most);
});

it('has at least 1,500 sentences in 30 languages', () => {
  expect(all.length).toBeGreaterThanOrEqual(1_500);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(30);
});

describe('a request counts', () => {
  it.each([
    [
      'however long the letter',
      `${'We have read your offer with care and discussed it in our team for a while. '.repeat(20)}Please erase my data.\n\nKind regards`,
    ],
    ['over a line that was wrapped', 'I have asked you twice already, so please be so kind as to remove\nme from your list.'],
    ['without accents', 'Bitte loeschen Sie meine Adresse.'],
    ['in capitals', 'TAKE ME OFF YOUR LIST'],
    ['with what stands around it', 'Hi Zoe,\nthanks, but we are fine. Stop emailing me.\nBest, Ada'],
  ])('%s', (_, text) => expect(optOutIn(text)).toMatchObject({ certainty: 'certain' }));
});

describe('these are no requests', () => {
  it.each([
    ['negation', 'Please do not remove me from your list, I am interested!'],
    ['another object', 'Bitte löschen Sie den alten Termin, Donnerstag passt.'],
    ['another person', 'Could you unsubscribe my colleague Jane but keep me on?'],
    ['a condition, in a footer', 'If you no longer wish to receive these emails, reply with "unsubscribe".'],
    [
      'a condition without a comma, in a disclaimer',
      'If you have received this email in error please notify the sender and delete this email from your system.',
    ],
    ['the end of something else', 'We want to stop using our current vendor. Please call.'],
    ['an instruction', 'To unsubscribe, click here.'],
    ['a rate', 'Once a month would be enough.'],
    ['an address that nobody reads', 'This email address is no longer in use.'],
    ['a line of a footer', 'Sure, Thursday at 3.\n\nAda\nExample Ltd\n1 Street\nTown\nUnsubscribe'],
  ])('%s', (_, text) => expect(optOutIn(text)).toBeNull());
});

it('"nothing but the verb": a bare verb beside something else is likely, never certain', () => {
  expect(optOutIn('Stop! I was just going to write to you.')?.certainty).not.toBe('certain');
  expect(optOutIn('STOP')?.certainty).toBe('certain');
  expect(optOutIn('Hi Zoe,\nstop.\nAda')?.certainty).toBe('certain');
});

it.each([
  'You need not send me any more emails, we are buying.',
  'Więcej maili nie trzeba, zamawiam.',
  'Больше ничего присылать не надо, покупаем.',
])('who buys is not suppressed at once: %s', (text) => expect(optOutIn(text)?.certainty).not.toBe('certain'));

it.each(['Pls rmv', 'rmv me', 'unsub pls', 'take me off pls'])('as people type on a phone: %s', (text) =>
  expect(optOutIn(text)).not.toBeNull());

describe('the second opinion', () => {
  it('never suppresses, and says what spoke for it', () => {
    const found = optOutIn('nothing from you any longer please');
    expect(found).toMatchObject({ certainty: 'likely' });
    expect(found?.because).toHaveLength(5);
  });

  it('has weights of less than 200 KB', () => expect(WEIGHTS.join('').length).toBeLessThan(200_000));
});
