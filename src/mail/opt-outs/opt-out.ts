import type { Certainty } from './grammar.ts';
import { judgeSentence } from './judge-sentence.ts';
import { resemblesRequest } from './model.ts';
import { sentencesOf } from './text.ts';

/** A bare "Unsubscribe" further down is a line of a signature or footer. */
const FIRST_LINES = 4;
const MAX_BARE = 30;
/** Sentences that get a second opinion: it costs four times as much as the grammar. */
const MAX_OPINIONS = 60;

/** A request for no more email. */
export interface OptOut {
  certainty: Certainty;
  /** The features that spoke most for it, where only the second opinion found it. */
  because: readonly string[];
}

/**
 * The request for no more email in a text, by the surest of its sentences, however long it is; null if nothing says so. The grammar decides;
 * a sentence that it does not know may be likely one by the second opinion. Pure; the time is proportional to the text.
 * @param text the author's own words: quotations and footers mention unsubscribing too
 */
export function optOutIn(text: string): OptOut | null {
  let best: OptOut | null = null;
  const sentences = sentencesOf(text).filter((sentence, index) => index < FIRST_LINES || !isBare(sentence));
  for (const sentence of sentences) {
    const certainty = judgeSentence(sentence);
    if (certainty === null) continue;
    best = { certainty, because: [] };
    if (certainty === 'certain') return best;
  }
  return best ?? secondOpinion(sentences.slice(0, MAX_OPINIONS));
}

const isBare = (sentence: string): boolean => sentence.length <= MAX_BARE && !/\s\S+\s/.test(sentence);

function secondOpinion(sentences: readonly string[]): OptOut | null {
  for (const sentence of sentences) {
    const because = resemblesRequest(sentence);
    if (because !== null) return { certainty: 'likely', because };
  }
  return null;
}
