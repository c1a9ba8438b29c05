import { describe, expect, it } from 'vitest';
import { optOutIn } from '../../../src/mail/opt-outs/opt-out.ts';
import { WEIGHTS } from '../../../src/mail/opt-outs/weights.ts';
import { sentences } from './sentences.ts';

const all = sentences().map((sentence) => ({ ...sentence, certainty: optOutIn(sentence.text)?.certainty ?? null }));
const share = (part: unknown[], whole: unknown[]) => part.length / whole.length;

describe.each([
  ['the half that rules and model were made with', false],
  ['the half that was put aside', true],
])('sentences of %s', (_, isPutAside) => {
  const half = all.filter((sentence) => sentence.isPutAside === isPutAside);
  const requests = half.filter(({ isRequest }) => isRequest);
  const others = half.filter(({ isRequest }) => !isRequest);

  it('finds 95 of 100 requests, for certain or likely', () => {
    const found = requests.filter(({ certainty }) => certainty !== null);
    console.log(`found: ${found.length} of ${requests.length}, certain ${found.filter(({ certainty }) => certainty === 'certain').length}`);
    expect(share(found, requests)).toBeGreaterThanOrEqual(0.95);
  });

  it('suppresses nobody by mistake', () => {
    expect(others.filter(({ certainty }) => certainty === 'certain')).toEqual([]);
  });

  // All of these are traps; of the answers that people really write it is one of two hundred.
  it('holds few by mistake', () => {
    expect(
      share(
        others.filter(({ certainty }) => certainty === 'likely'),
        others,
      ),
    ).toBeLessThanOrEqual(0.025);
  });
});

it('has at least 1,500 sentences in 30 languages, half of them put aside', () => {
  expect(all.length).toBeGreaterThanOrEqual(1_500);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(30);
  expect(
    Math.abs(
      share(
        all.filter(({ isPutAside }) => isPutAside),
        all,
      ) - 0.5,
    ),
  ).toBeLessThan(0.05);
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
    ['an instruction', 'To unsubscribe, click here.'],
    ['a line of a footer', 'Sure, Thursday at 3.\n\nAda\nExample Ltd\n1 Street\nTown\nUnsubscribe'],
  ])('%s', (_, text) => expect(optOutIn(text)).toBeNull());
});

describe('the second opinion', () => {
  it('never suppresses, and says what spoke for it', () => {
    const found = optOutIn('nothing from you any longer please');
    expect(found).toMatchObject({ certainty: 'likely' });
    expect(found?.because).toHaveLength(5);
  });

  it('has weights of less than 200 KB', () => expect(WEIGHTS.join('').length).toBeLessThan(200_000));
});
