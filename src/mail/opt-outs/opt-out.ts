import type { Certainty } from './grammar.ts';
import { judgeSentence } from './judge-sentence.ts';
import { sentencesOf } from './text.ts';

/** A bare "Unsubscribe" further down is a line of a signature or footer. */
const FIRST_LINES = 4;
const MAX_BARE = 30;

/**
 * The certainty that somebody asks for no more email, by the surest of their sentences, however long the text; null if nothing
 * says so. Pure; the time is proportional to the text.
 * @param text the author's own words: quotations and footers mention unsubscribing too
 */
export function optOutIn(text: string): Certainty | null {
  let best: Certainty | null = null;
  const sentences = sentencesOf(text);
  for (const [index, sentence] of sentences.entries()) {
    const certainty = judgeSentence(sentence);
    if (certainty === null) continue;
    const isBare = sentence.length <= MAX_BARE && !/\s\S+\s/.test(sentence);
    if (isBare && index >= FIRST_LINES) continue;
    if (certainty === 'certain') return certainty;
    best = certainty;
  }
  return best;
}
