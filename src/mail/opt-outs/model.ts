import { brotliDecompressSync } from 'node:zlib';
import { BUCKETS, type Features, featuresOf, shareOf } from './features.ts';
import type { Certainty } from './grammar.ts';
import type { Sentence } from './sentence.ts';
import { SURE, THRESHOLD, WEIGHTS } from './weights.ts';

let weights: Int8Array | undefined;

/** Returns the weight of each bucket, decompressed from WEIGHTS. */
function inflated(): Int8Array {
  const bytes = brotliDecompressSync(Buffer.from(WEIGHTS.join(''), 'base64'));
  const count = bytes.length / 2;
  const all = new Int8Array(BUCKETS);
  let bucket = 0;
  for (let index = 0; index < count; index++) {
    bucket += bytes[index] as number;
    all[bucket] = bytes[count + index] as number;
  }
  return all;
}

const TOO_SHORT = /^(?!.*[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]{4})\P{L}*(?:\p{L}\P{L}*){0,9}$/u;

/** True for a greeting or a name, which is too short to judge. */
export const isTooShort = ({ text }: Sentence, verdict: Certainty | null): boolean => verdict === null && TOO_SHORT.test(text);

/** Returns the sum of the weights of all features, each times its share. */
export function scoreOf(features: Features, of: ArrayLike<number>): number {
  let score = 0;
  for (const [index, group] of features.entries()) {
    let sum = 0;
    for (const bucket of group.buckets) sum += of[bucket] as number;
    score += sum * shareOf(index, group.buckets.length);
  }
  return score;
}

/** The model's opinion on a sentence that resembles requests. */
interface Opinion {
  /** The features with the highest weights. */
  because: readonly string[];
  /**
   * True if the score would suffice without the grammar, and is higher than that of any harmless sentence that the grammar mistakes for a
   * request.
   */
  isSure: boolean;
}

/**
 * Returns a second opinion on a sentence, by a small linear model that test/mail/opt-outs/train.ts trains; null if it does not resemble
 * opt-outs. If the grammar is certain, null only if it resembles other sentences more.
 * @param verdict of the grammar on the sentence
 */
export function opinionOn(sentence: Sentence, verdict: Certainty | null): Opinion | null {
  if (isTooShort(sentence, verdict)) return null;
  weights ??= inflated();
  const features = featuresOf(sentence, verdict);
  const score = scoreOf(features, weights);
  if (score < (verdict === 'certain' ? 0 : THRESHOLD)) return null;
  const weightOf = (bucket: number) => (weights as Int8Array)[bucket] as number;
  const heaviest = features
    .flatMap((group) => group.buckets.map((bucket) => ({ bucket, group })))
    .sort((a, b) => weightOf(b.bucket) - weightOf(a.bucket))
    .slice(0, 5);
  return { because: heaviest.map(({ bucket, group }) => group.nameOf(bucket).trim()), isSure: score >= SURE };
}
