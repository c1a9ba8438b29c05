import type { Certainty } from './grammar.ts';
import { judgeSentence } from './judge-sentence.ts';
import { resemblesRequest } from './model.ts';
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
 */
export function optOutIn(text: string): OptOut | null {
  const sentences = sentencesOf(text).filter((sentence, index) => index < FIRST_LINES || !isBare(sentence));
  let best: OptOut | null = null;
  for (const [index, sentence] of sentences.entries()) {
    const verdict = judgeSentence(sentence);
    if (verdict === null && (best !== null || index >= MAX_OPINIONS)) continue;
    const because = resemblesRequest(sentence, verdict);
    if (verdict === 'certain' && because !== null) return { certainty: 'certain', because: [] };
    if (verdict === 'certain') best ??= { certainty: 'likely', because: [] };
    else if (because !== null) best ??= { certainty: 'likely', because: verdict === null ? because : [] };
  }
  return best;
}

const isBare = (sentence: string): boolean => sentence.length <= MAX_BARE && !/\s\S+\s/.test(sentence);
