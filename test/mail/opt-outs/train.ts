// Trains the model for the second opinion on opt-outs and writes src/mail/opt-outs/weights.ts: `npm run train:opt-outs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { BUCKETS, type Features, shareOf } from '../../../src/mail/opt-outs/features.ts';
import { scoreOf } from '../../../src/mail/opt-outs/model.ts';
import { sentencesOfPatterns } from './patterns.ts';
import { type Example, type Row, rowsOf } from './rows.ts';
import { sentences } from './sentences.ts';

const SEED = 20_261_126;
const EPOCHS = 6;
/** The weights are the mean over this many last epochs. */
const AVERAGED = 3;
const RATE = 0.5;
const DECAY = 2e-6;
/**
 * Each step shrinks a weight by this, times the weight's own rate. Weights that few sentences need become 0, and the remaining ones find as
 * much.
 */
const SHRINKAGE = 1e-3;
/** Sentences with a smaller error teach little and are skipped to save time. */
const LEARNT = 0.01;
/**
 * Candidates for the unit of the weights. A coarser unit leaves fewer weights and finds fewer requests. The finest unit with which the
 * weights fit is used.
 */
const UNITS = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1, 1.2, 1.5];
const MAX_TEXT = 199_000;
/** Resolution of the thresholds. */
const STEP = 0.1;
/** Maximum share of answers without a request that are mistaken for one: the mean over the sets in cross-validation. */
const MISTAKES = 0.01;
/** Maximum share of all answers without a request that reach the score for certain, whatever the grammar says. */
const AGREEMENT = 0.01;

/** Returns a mulberry32 generator: the same numbers on every machine. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

/**
 * Returns the sentences of training.txt and of the patterns, the sets that are not held out, and prose of a documentation, which has no
 * requests.
 */
const examples = (): Example[] => [
  ...linesOf('./training.txt').map((line) => ({ text: line.slice(2), isRequest: line.startsWith('+ ') })),
  ...sentences().filter(({ isPutAside }) => !isPutAside),
  ...sentencesOfPatterns(randomOf(SEED)),
  ...linesOf('./prose.txt').map((text) => ({ text, isRequest: false })),
];

/** Returns 1 for each bucket with features of more than one source. Features of a single source say nothing about unseen sentences. */
function sharedBy(rows: readonly Row[]): Uint8Array {
  const first = new Int32Array(BUCKETS).fill(-1);
  const isShared = new Uint8Array(BUCKETS);
  for (const { source, whole } of rows)
    for (const { buckets } of whole)
      for (const bucket of buckets)
        if (first[bucket] === -1) first[bucket] = source;
        else if (first[bucket] !== source) isShared[bucket] = 1;
  return isShared;
}

/** The features of all groups in one list, each with its share. It is flat because training reads it dozens of times. */
interface Flat {
  readonly buckets: Int32Array;
  readonly shares: Float32Array;
}

const flats = new WeakMap<Features, Flat>();

function flat(features: Features): Flat {
  const known = flats.get(features);
  if (known !== undefined) return known;
  const shares = features.flatMap(({ buckets }, index) => buckets.map(() => shareOf(index, buckets.length)));
  const made = { buckets: Int32Array.from(features.flatMap(({ buckets }) => buckets)), shares: Float32Array.from(shares) };
  flats.set(features, made);
  return made;
}

function flatScore({ buckets, shares }: Flat, weights: Float64Array): number {
  let score = 0;
  for (let at = 0; at < buckets.length; at++) score += (weights[buckets[at] as number] as number) * (shares[at] as number);
  return score;
}

interface Lesson {
  readonly isRequest: boolean;
  /** The sentences. In a request with several of them, it is not known which one is the request. */
  readonly candidates: readonly Flat[];
}

/** Returns the text as a whole and, if it has several sentences, each of them. */
function lessonsOf({ isRequest, whole, readings }: Row): Lesson[] {
  const all = [{ isRequest, candidates: [flat(whole)] }];
  if (readings.length < 2) return all;
  const parts = readings.map(({ features }) => flat(features));
  return [...all, ...(isRequest ? [parts] : parts.map((part) => [part])).map((candidates) => ({ isRequest, candidates }))];
}

/**
 * Trains a logistic regression without bias by stochastic gradient descent with AdaGrad, and averages the last epochs. For a request with
 * several sentences, only the sentence with the highest score so far is trained, because greetings and thanks are not requests.
 */
function train(rows: readonly Row[]): Float64Array {
  const random = randomOf(SEED);
  const lessons = rows.flatMap(lessonsOf);
  const weights = new Float64Array(BUCKETS);
  const sums = new Float64Array(BUCKETS);
  const squares = new Float64Array(BUCKETS).fill(1e-3);
  const isShared = sharedBy(rows);
  const balance = lessons.filter(({ isRequest }) => !isRequest).length / lessons.filter(({ isRequest }) => isRequest).length;
  const step = (bucket: number, error: number) => {
    if (isShared[bucket] === 0) return;
    const weight = weights[bucket] as number;
    const gradient = error - DECAY * weight;
    squares[bucket] = (squares[bucket] as number) + gradient * gradient;
    const rate = RATE / Math.sqrt(squares[bucket] as number);
    const moved = weight + rate * gradient;
    weights[bucket] = Math.sign(moved) * Math.max(0, Math.abs(moved) - SHRINKAGE * rate);
  };
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let index = lessons.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1));
      [lessons[index], lessons[other]] = [lessons[other] as Lesson, lessons[index] as Lesson];
    }
    for (const { candidates, isRequest } of lessons) {
      let chosen = candidates[0] as Flat;
      let score = flatScore(chosen, weights);
      for (const candidate of candidates.slice(1)) {
        const another = flatScore(candidate, weights);
        if (another > score) [chosen, score] = [candidate, another];
      }
      const guess = 1 / (1 + Math.exp(-score));
      const error = isRequest ? (1 - guess) * balance : -guess;
      if (Math.abs(error) < LEARNT) continue;
      const { buckets, shares } = chosen;
      for (let at = 0; at < buckets.length; at++) step(buckets[at] as number, error * (shares[at] as number));
    }
    if (epoch >= EPOCHS - AVERAGED) for (let bucket = 0; bucket < BUCKETS; bucket++) (sums[bucket] as number) += weights[bucket] as number;
  }
  return sums.map((sum) => sum / AVERAGED);
}

/** Quantizes the weights to signed bytes. */
const quantised = (weights: Float64Array, unit: number): Int8Array =>
  Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / unit))));

/**
 * Packs the distance of each weight other than 0 to the previous one, then all these weights. A weight of 0 splits a distance that exceeds
 * a byte.
 */
function packed(weights: Int8Array): Buffer {
  const gaps: number[] = [];
  const values: number[] = [];
  let last = 0;
  for (const [bucket, weight] of weights.entries()) {
    if (weight === 0 && bucket - last < 255) continue;
    gaps.push(bucket - last);
    values.push(weight);
    last = bucket;
  }
  return Buffer.from([...gaps, ...values]);
}

const textOf = (weights: Int8Array): string => brotliCompressSync(packed(weights)).toString('base64');

const all = rowsOf(examples(), randomOf(SEED));
const trained = train(all);
const unit = UNITS.find((each) => textOf(quantised(trained, each)).length <= MAX_TEXT);
if (unit === undefined) throw new Error(`the weights are longer than ${MAX_TEXT} characters in every unit; raise SHRINKAGE`);
console.log(`a unit of ${unit}`);

/**
 * Sets that cross-validation leaves out together. That needs fewer models, and the exams are so similar that a model that has seen some
 * knows them all.
 */
const LEFT_OUT = [
  ['exam', 'second-exam', 'third-exam', 'fourth-exam'],
  ['sentences', 'fifth-exam', 'sixth-known', 'sixth-exam'],
  ...[['own-words'], ['everyday-words'], ['further-words']],
];

/**
 * For each set: its texts with the scores of a model that has not seen them. They are more similar to each other than the texts of real
 * users.
 */
const held = LEFT_OUT.flatMap((group) => {
  const weights = quantised(train(all.filter(({ set }) => set === undefined || !group.includes(set))), unit);
  return group.map((left) =>
    all
      .filter(({ set, isMistyped }) => set === left && !isMistyped)
      .map((row) => ({ ...row, scores: row.readings.map((reading) => ({ ...reading, score: scoreOf(reading.features, weights) })) })),
  );
});
type Held = (typeof held)[number][number];

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
const requests = held.flat().filter(({ isRequest }) => isRequest);
const others = held.flat().filter(({ isRequest }) => !isRequest);
const isFound = ({ scores }: Held, threshold: number) =>
  scores.some(({ verdict, score }) => score >= (verdict === 'certain' ? 0 : threshold));
const shareFound = (texts: readonly Held[], score: number) => texts.filter((text) => isFound(text, score)).length / texts.length;
const found = (texts: readonly Held[], score: number) => percent(shareFound(texts, score), 1);
/** Returns the highest score of a sentence that the grammar is certain of. */
const certainScore = ({ scores }: Held) => Math.max(...scores.map(({ mayBeCertain, score }) => (mayBeCertain ? score : -Infinity)));

/** Returns the lowest threshold at which a share is at most `most`. */
function lowest(most: number, shareAt: (score: number) => number): number {
  let steps = 0;
  while (shareAt(steps * STEP) > most) steps++;
  return Number((steps * STEP).toFixed(1));
}
const otherSets = held.map((set) => set.filter(({ isRequest }) => !isRequest));
const threshold = lowest(MISTAKES, (score) => otherSets.reduce((sum, set) => sum + shareFound(set, score), 0) / held.length);

// For a certain request, the model alone must find it, too. It must not agree where the grammar is wrong.
const traps = others.filter((other) => certainScore(other) > -Infinity).sort((a, b) => certainScore(b) - certainScore(a));
for (const trap of traps) console.log(`the grammar errs at a score of ${certainScore(trap).toFixed(1)}: ${trap.text}`);
const agreed = lowest(AGREEMENT, (score) => shareFound(others, score));
const sure = Math.max(threshold, agreed, Math.floor(traps[0] === undefined ? 0 : certainScore(traps[0])) + 1);

for (const [index, set] of held.entries()) {
  const asking = set.filter(({ isRequest }) => isRequest);
  console.log(`${set[0]?.set}: ${found(asking, threshold)} found, ${found(otherSets[index] ?? [], threshold)} by mistake`);
}
const share = found(requests, threshold);
const certain = percent(requests.filter((each) => certainScore(each) >= sure).length, requests.length);

const WIDTH = 900;
const text = textOf(quantised(trained, unit));
writeFileSync(
  new URL('../../../src/mail/opt-outs/weights.ts', import.meta.url),
  `/** A sentence with at least this score resembles requests. In cross-validation, ${share} of the requests are found. */
export const THRESHOLD = ${threshold};

/** With at least this score, a certain request by the grammar stays certain. In cross-validation, no sentence without a request does. */
export const SURE = ${sure};

/** The weights of the features in base64, in the format that inflated() in model.ts reads. Written by test/mail/opt-outs/train.ts. */
export const WEIGHTS: readonly string[] = [
${(text.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? []).map((line) => `  '${line}',`).join('\n')}
];
`,
);
console.log(
  `${all.length} texts with those mistyped, ${requests.length} requests; at a score of ${threshold} ${share} are found, ${found(others, threshold)} of the others by mistake, and ${certain} for certain, at ${sure}; ${text.length} bytes`,
);
