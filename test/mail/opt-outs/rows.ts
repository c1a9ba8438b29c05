import { type Features, featuresOf } from '../../../src/mail/opt-outs/features.ts';
import type { Certainty } from '../../../src/mail/opt-outs/grammar.ts';
import { isBareStop, judgeSentence } from '../../../src/mail/opt-outs/judge-sentence.ts';
import { isTooShort } from '../../../src/mail/opt-outs/model.ts';
import { withBefore } from '../../../src/mail/opt-outs/opt-out.ts';
import { Sentence } from '../../../src/mail/opt-outs/sentence.ts';
import { sentencesOf } from '../../../src/mail/opt-outs/text.ts';

export interface Example {
  readonly text: string;
  readonly isRequest: boolean;
  /** The set that it belongs to. Examples without a set are only for training. */
  readonly set?: string;
  /** The source that it was made from, if others were made from the same one. */
  readonly source?: string;
}

interface Reading {
  readonly verdict: Certainty | null;
  /** True if the grammar is certain, and if it is a bare "Stop!", the text has no other sentence. */
  readonly mayBeCertain: boolean;
  readonly features: Features;
}

export interface Row extends Omit<Example, 'source'> {
  /** The number of its source. */
  readonly source: number;
  /** The features of the text as a single sentence. */
  readonly whole: Features;
  /** The sentences that optOutIn judges. */
  readonly readings: readonly Reading[];
  /** True if the text has a typo. */
  readonly isMistyped: boolean;
}

/** Returns the text with a typo, as on a phone: two letters swapped, one missing or one doubled. */
function mistyped(text: string, random: () => number): string {
  const at = 1 + Math.floor(random() * Math.max(1, text.length - 2));
  const kind = Math.floor(random() * 3);
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 1) return text.slice(0, at) + text.charAt(at) + text.slice(at);
  return text.slice(0, at - 1) + text.charAt(at) + text.charAt(at - 1) + text.slice(at + 1);
}

function read(sentence: Sentence, isAlone = true): Reading {
  const verdict = judgeSentence(sentence);
  return {
    verdict,
    mayBeCertain: verdict === 'certain' && (isAlone || !isBareStop(sentence)),
    features: featuresOf(sentence, verdict),
  };
}

/** Returns a row for each text, and for each request another one with a typo. */
export function rowsOf(examples: readonly Example[], random: () => number): Row[] {
  const sources = new Map<string, number>();
  const rowOf = (example: Example, source: number, text: string, isMistyped: boolean): Row => {
    const whole = read(new Sentence(text)).features;
    return { ...example, source, whole, readings: readingsOf(text), isMistyped };
  };
  return examples.flatMap((each) => {
    const name = each.source ?? each.text;
    const source = sources.get(name) ?? sources.size;
    sources.set(name, source);
    const row = rowOf(each, source, each.text, false);
    return each.isRequest ? [row, rowOf(each, source, mistyped(each.text, random), true)] : [row];
  });
}

/** Returns what optOutIn judges in a text: each sentence, and each sentence without a verdict together with the one before. */
function readingsOf(text: string): Reading[] {
  const all = sentencesOf(text).map((sentence) => new Sentence(sentence));
  return all.flatMap((sentence, index) => {
    const verdict = judgeSentence(sentence);
    const both = verdict === null ? withBefore(all[index - 1], sentence) : null;
    return [...(isTooShort(sentence, verdict) ? [] : [read(sentence, all.length === 1)]), ...(both === null ? [] : [read(both)])];
  });
}
