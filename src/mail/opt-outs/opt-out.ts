import type { Certainty } from './grammar.ts';
import { isBareStop, judgeSentence } from './judge-sentence.ts';
import { opinionOn } from './model.ts';
import { Sentence } from './sentence.ts';
import { sentencesOf } from './text.ts';

/** A bare "Unsubscribe" below these sentences belongs to a signature or footer. */
const FIRST_SENTENCES = 4;
const MAX_BARE = 30;
/** Most sentences that get a second opinion, which takes five times as long as the grammar. */
const MAX_OPINIONS = 60;

/** A request to get no more email. */
export interface OptOut {
  certainty: Certainty;
  /** The features with the highest weights, if only the second opinion found it. */
  because: readonly string[];
}

/**
 * Returns the opt-out in a text, by its most certain sentence; null if there is none. A request is certain if both the grammar and the
 * model are sure; if only one of them finds it, it is likely. Pure. The time is proportional to the length of the text.
 * @param text the author's own words, because quotations and footers mention unsubscribing too
 * @param onlyCertain skips likely requests, which saves nearly all second opinions
 */
export function optOutIn(text: string, onlyCertain = false): OptOut | null {
  const sentences = sentencesOf(text)
    .filter((sentence, index) => index < FIRST_SENTENCES || !isBare(sentence))
    .map((sentence) => new Sentence(sentence));
  let best: OptOut | null = null;
  for (const [index, sentence] of sentences.entries()) {
    const verdict = judgeSentence(sentence);
    if (onlyCertain && verdict !== 'certain') continue;
    if (verdict === null && (best !== null || index >= MAX_OPINIONS)) continue;
    const opinion = opinionOn(sentence, verdict) ?? (verdict === null ? onPair(sentences[index - 1], sentence) : null);
    if (opinion === null) continue;
    if (verdict === 'certain' && opinion.isSure && !(isBareStop(sentence) && hasLongSentence(sentences, index)))
      return { certainty: 'certain', because: [] };
    best ??= { certainty: 'likely', because: verdict === null ? opinion.because : [] };
  }
  return best;
}

/** Joins a sentence with the one before it: "Where did you get my address? Delete it." Null if that one has no punctuation at its end. */
export const withBefore = (before: Sentence | undefined, { text }: Sentence): Sentence | null =>
  before !== undefined && /[.!?。！？؟;]$/.test(before.text) ? new Sentence(`${before.text} ${text}`) : null;

/** Returns the second opinion on a sentence together with the one before it. */
function onPair(before: Sentence | undefined, sentence: Sentence): ReturnType<typeof opinionOn> {
  const both = withBefore(before, sentence);
  return both === null ? null : opinionOn(both, judgeSentence(both));
}

/** True if another sentence says more: "Stop! I was just going to write to you." A bare verb is a certain request only on its own. */
const hasLongSentence = (sentences: readonly Sentence[], except: number): boolean =>
  sentences.some(
    ({ text }, index) => index !== except && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}]{8}|(?<!\p{L})(?:\p{L}+\P{L}+){4}/u.test(text),
  );

const isBare = (sentence: string): boolean => sentence.length <= MAX_BARE && !/\s\S+\s/.test(sentence);
