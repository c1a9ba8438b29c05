// Trains the second opinion on requests to be removed and writes src/mail/opt-outs/weights.ts: `npm run train:opt-outs`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { BUCKETS, type Features, featuresOf, shareOf } from '../../../src/mail/opt-outs/features.ts';
import { judgeSentence } from '../../../src/mail/opt-outs/judge-sentence.ts';
import { scoreOf } from '../../../src/mail/opt-outs/model.ts';
import { Sentence } from '../../../src/mail/opt-outs/sentence.ts';
import { sentencesOf } from '../../../src/mail/opt-outs/text.ts';
import { sentencesOfPatterns } from './patterns.ts';
import { sentences } from './sentences.ts';

const SEED = 20_261_126;
const EPOCHS = 15;
const RATE = 0.5;
const DECAY = 2e-6;
/** Share of the sentences of a set that ask for nothing which the model may take for requests, as the mean of the sets in cross-validation. */
const MISTAKES = 0.01;

interface Example {
  readonly text: string;
  readonly isRequest: boolean;
  /** The set that it was written for; without one, it only teaches. */
  readonly set?: string;
}

interface Row extends Example {
  readonly verdict: ReturnType<typeof judgeSentence>;
  readonly features: Features;
  /** The sentence has an error of typing. */
  readonly isMistyped: boolean;
}

/** mulberry32: the same numbers on every machine. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The sentences of training.txt and of the patterns, the sets that are not put aside, and prose of the documentation that asks for nothing. */
function examples(): Example[] {
  const written = readFileSync(new URL('./training.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const prose = globSync(new URL('../../../docs/*.md', import.meta.url).pathname)
    .sort()
    .flatMap((file) => sentencesOf(readFileSync(file, 'utf8').replaceAll(/```[\s\S]*?```|^\|.*$/gm, '')))
    .filter((text) => text.length > 20);
  return [
    ...written.map((line) => ({ text: line.slice(2), isRequest: line.startsWith('+ ') })),
    ...sentences().filter(({ isPutAside }) => !isPutAside),
    ...sentencesOfPatterns(randomOf(SEED)),
    ...prose.map((text) => ({ text, isRequest: false })),
  ];
}

/** The sentence with two letters exchanged, one left out or one doubled, as on a phone. */
function mistyped(text: string, random: () => number): string {
  const at = 1 + Math.floor(random() * Math.max(1, text.length - 2));
  const kind = Math.floor(random() * 3);
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 1) return text.slice(0, at) + text.charAt(at) + text.slice(at);
  return text.slice(0, at - 1) + text.charAt(at) + text.charAt(at - 1) + text.slice(at + 1);
}

/** Each sentence, and each request with an error of typing, too. */
function rowsOf(examples: readonly Example[]): Row[] {
  const random = randomOf(SEED);
  const rowOf = (example: Example, isMistyped: boolean): Row => {
    const sentence = new Sentence(example.text);
    const verdict = judgeSentence(sentence);
    return { ...example, verdict, features: featuresOf(sentence, verdict), isMistyped };
  };
  return examples.flatMap((each) =>
    each.isRequest ? [rowOf(each, false), rowOf({ ...each, text: mistyped(each.text, random) }, true)] : [rowOf(each, false)],
  );
}

/** Logistic regression by stochastic gradient descent with AdaGrad, weights without a bias. */
function train(from: readonly Row[]): Float64Array {
  const random = randomOf(SEED);
  const rows = [...from];
  const weights = new Float64Array(BUCKETS);
  const squares = new Float64Array(BUCKETS).fill(1e-3);
  const balance = rows.filter(({ isRequest }) => !isRequest).length / rows.filter(({ isRequest }) => isRequest).length;
  const step = (bucket: number, error: number) => {
    const gradient = error - DECAY * (weights[bucket] as number);
    squares[bucket] = (squares[bucket] as number) + gradient * gradient;
    weights[bucket] = (weights[bucket] as number) + (RATE * gradient) / Math.sqrt(squares[bucket] as number);
  };
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let index = rows.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1));
      [rows[index], rows[other]] = [rows[other] as Row, rows[index] as Row];
    }
    for (const { features, isRequest } of rows) {
      const guess = 1 / (1 + Math.exp(-scoreOf(features, weights)));
      const error = isRequest ? (1 - guess) * balance : -guess;
      for (const [index, group] of features.entries())
        for (const bucket of group.buckets) step(bucket, error * shareOf(index, group.buckets.length));
    }
  }
  return weights;
}

/** The weights as signed bytes; the heaviest fifty are cut. */
function quantised(weights: Float64Array): Int8Array {
  const scale = 127 / ([...weights].map(Math.abs).sort((a, b) => b - a)[50] as number);
  return Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * scale))));
}

const all = rowsOf(examples());

/** By set: its sentences with the scores of a model that has seen none of them. They resemble each other more than those of users. */
const held = [...new Set(all.flatMap(({ set }) => set ?? []))].map((left) => {
  const weights = quantised(train(all.filter(({ set }) => set !== left)));
  return all.filter(({ set, isMistyped }) => set === left && !isMistyped).map((row) => ({ ...row, score: scoreOf(row.features, weights) }));
});

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
const shareOfMistakes = (set: (typeof held)[number], score: number) => {
  const others = set.filter(({ isRequest }) => !isRequest);
  return others.filter((other) => other.score >= score).length / others.length;
};
const meanOfMistakes = (score: number) => held.reduce((sum, set) => sum + shareOfMistakes(set, score), 0) / held.length;
let threshold = 0;
while (meanOfMistakes(threshold) > MISTAKES) threshold++;

// For certain, the model must take it for a request by itself. Where the grammar errs, it must not agree.
const traps = held
  .flat()
  .filter(({ isRequest, verdict }) => !isRequest && verdict === 'certain')
  .sort((a, b) => b.score - a.score);
for (const { text, score } of traps) console.log(`the grammar errs at a score of ${Math.round(score)}: ${text}`);
const sure = Math.max(threshold, Math.ceil(traps[0]?.score ?? 0) + 1);

const isFound = ({ verdict, score }: (typeof held)[number][number]) => score >= (verdict === 'certain' ? 0 : threshold);
for (const set of held) {
  const requests = set.filter(({ isRequest }) => isRequest);
  const mistakes = percent(shareOfMistakes(set, threshold), 1);
  console.log(`${set[0]?.set}: ${percent(requests.filter(isFound).length, requests.length)} found, ${mistakes} by mistake`);
}
const requests = held.flat().filter(({ isRequest }) => isRequest);
const certain = requests.filter(({ verdict, score }) => verdict === 'certain' && score >= sure);
const found = percent(requests.filter(isFound).length, requests.length);

const WIDTH = 760;
const text = Buffer.from(quantised(train(all))).toString('base64');
writeFileSync(
  new URL('../../../src/mail/opt-outs/weights.ts', import.meta.url),
  `/** A sentence with this score or more resembles requests. In cross-validation ${found} of the requests are found. */
export const THRESHOLD = ${threshold};

/** A request by the grammar is certain with this score. In cross-validation no sentence that asks for nothing is. */
export const SURE = ${sure};

/** One signed byte for each bucket of features, in base64. Written by test/mail/opt-outs/train.ts. */
export const WEIGHTS: readonly string[] = [
${(text.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? []).map((line) => `  '${line}',`).join('\n')}
];
`,
);
console.log(
  `${all.length} sentences with those mistyped, ${requests.length} requests; at a score of ${threshold} ${found} are found, and ${percent(certain.length, requests.length)} for certain, at ${sure}`,
);
