import { type Features, featuresOf, isOtherwise } from './features.ts';
import { THRESHOLD, WEIGHTS } from './weights.ts';

let weights: Int8Array | undefined;

/** A greeting or a name is too short to resemble anything. */
const TOO_SHORT = /^(?!.*[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]{4})\P{L}*(?:\p{L}\P{L}*){0,9}$/u;

/** The sum of the weights of each kind of features over the square root of their number, so that long sentences gain nothing by their length. */
export const scoreOf = ({ ngrams, roles }: Features, of: ArrayLike<number>): number => mean(ngrams, of) + mean(roles, of);

function mean(features: ReadonlyMap<number, string>, of: ArrayLike<number>): number {
  let sum = 0;
  for (const bucket of features.keys()) sum += of[bucket] as number;
  return features.size === 0 ? 0 : sum / Math.sqrt(features.size);
}

/**
 * The features that spoke most for it, if a sentence resembles requests to be removed, else null: the second opinion, of a small linear
 * model that test/mail/opt-outs/train.ts trains.
 */
export function resemblesRequest(sentence: string): readonly string[] | null {
  if (TOO_SHORT.test(sentence) || isOtherwise(sentence)) return null;
  weights ??= new Int8Array(Buffer.from(WEIGHTS.join(''), 'base64'));
  const features = featuresOf(sentence);
  if (scoreOf(features, weights) < THRESHOLD) return null;
  const weightOf = (bucket: number) => (weights as Int8Array)[bucket] as number;
  const heaviest = [...features.ngrams, ...features.roles].sort(([a], [b]) => weightOf(b) - weightOf(a)).slice(0, 5);
  return heaviest.map(([, feature]) => feature.trim());
}
