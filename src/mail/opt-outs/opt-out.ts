import type { Certainty } from './grammar.ts';
import { isBareStop, judgeSentence } from './judge-sentence.ts';
import { opinionOn } from './model.ts';
import { Sentence } from './sentence.ts';
import { sentencesOf } from './text.ts';

/** A bare "Unsubscribe" further down is a line of a signature or footer. */
const FIRST_LINES = 4;
const MAX_BARE = 30;
/** Sentences that get a second opinion: it costs five times as much as the grammar. */
const MAX_OPINIONS = 60;

/** A request for no more email. */
export interface OptOut {
  certainty: Certainty;
  /** The features that spoke most for it, where only the second opinion found it. */
  because: readonly string[];
}

/**
 * The request for no more email in a text, by the surest of its sentences, however long it is; null if nothing says so. Both the grammar and the
 * model must be sure: what only one of them takes for a request is likely one. Pure; the time is proportional to the text.
 * @param text the author's own words: quotations and footers mention unsubscribing too
 * @param onlyCertain likely requests are not looked for, which spares nearly all second opinions
 */
export function optOutIn(text: string, onlyCertain = false): OptOut | null {
  const sentences = sentencesOf(text)
    .filter((sentence, index) => index < FIRST_LINES || !isBare(sentence))
    .map((sentence) => new Sentence(sentence));
  let best: OptOut | null = null;
  for (const [index, sentence] of sentences.entries()) {
    const verdict = judgeSentence(sentence);
    if (onlyCertain && verdict !== 'certain') continue;
    if (verdict === null && (best !== null || index >= MAX_OPINIONS)) continue;
    const opinion = opinionOn(sentence, verdict) ?? (verdict === null ? onPair(sentences[index - 1], sentence) : null);
    if (opinion === null) continue;
    if (verdict === 'certain' && opinion.isSure && !(isBareStop(sentence) && speaksOn(sentences, index)))
      return { certainty: 'certain', because: [] };
    best ??= { certainty: 'likely', because: verdict === null ? opinion.because : [] };
  }
  return best;
}

/** "Where did you get my address? Delete it.": a sentence together with the one before in its line; null where that ends otherwise. */
export const withBefore = (before: Sentence | undefined, { text }: Sentence): Sentence | null =>
  before !== undefined && /[.!?。！？؟;]$/.test(before.text) ? new Sentence(`${before.text} ${text}`) : null;

/** The second opinion on a sentence with the one before. */
function onPair(before: Sentence | undefined, sentence: Sentence): ReturnType<typeof opinionOn> {
  const both = withBefore(before, sentence);
  return both === null ? null : opinionOn(both, judgeSentence(both));
}

/** "Stop! I was just going to write to you.": a verb alone is a request where nothing else is said. */
const speaksOn = (sentences: readonly Sentence[], except: number): boolean =>
  sentences.some(
    ({ text }, index) => index !== except && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}]{8}|(?<!\p{L})(?:\p{L}+\P{L}+){4}/u.test(text),
  );

const isBare = (sentence: string): boolean => sentence.length <= MAX_BARE && !/\s\S+\s/.test(sentence);
