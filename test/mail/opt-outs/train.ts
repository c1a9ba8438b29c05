// Trains the second opinion on requests to be removed and writes src/mail/opt-outs/weights.ts: `npm run train:opt-outs`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { BUCKETS, type Features, featuresOf, shareOf } from '../../../src/mail/opt-outs/features.ts';
import { judgeSentence } from '../../../src/mail/opt-outs/judge-sentence.ts';
import { scoreOf } from '../../../src/mail/opt-outs/model.ts';
import { sentencesOf } from '../../../src/mail/opt-outs/text.ts';
import { sentences } from './sentences.ts';

const SEED = 20_261_126;
const EPOCHS = 15;
const RATE = 0.5;
const DECAY = 2e-6;
const FOLDS = 5;
/** Share of traps, sentences with the words of requests that ask for nothing, which the model may take for requests in cross-validation. */
const MISTAKES = 0.01;
/** For certain, a sentence needs so many times the score of a likely request. */
const MARGIN = 1.5;

interface Example {
  readonly text: string;
  readonly isRequest: boolean;
  /** A sentence of the documentation, far from any trap. */
  readonly isProse?: boolean;
  /** Sentences of one line are in one fold: related languages have the same thought there. */
  readonly line: number;
}

interface Row {
  features: Features;
  target: number;
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

/** The sentences of training.txt, the half of the sentences that is not put aside, and prose of the documentation that asks for nothing. */
function examples(): Example[] {
  const written = readFileSync(new URL('./training.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const prose = globSync(new URL('../../../docs/*.md', import.meta.url).pathname)
    .sort()
    .flatMap((file) => sentencesOf(readFileSync(file, 'utf8').replaceAll(/```[\s\S]*?```|^\|.*$/gm, '')))
    .filter((text) => text.length > 20);
  return [
    ...written.map((line, at) => ({ text: line.slice(2), isRequest: line.startsWith('+ '), line: at })),
    ...sentences().filter(({ isPutAside }) => !isPutAside),
    ...prose.map((text, line) => ({ text, isRequest: false, isProse: true, line })),
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

/** Logistic regression by stochastic gradient descent with AdaGrad, weights without a bias. */
function train(from: readonly Example[], random: () => number): Float64Array {
  const weights = new Float64Array(BUCKETS);
  const squares = new Float64Array(BUCKETS).fill(1e-3);
  const varied = from.flatMap((each) => (each.isRequest ? [each, { ...each, text: mistyped(each.text, random) }] : [each]));
  const rows = varied.map(({ text, isRequest }) => ({ features: featuresOf(text, judgeSentence(text)), target: isRequest ? 1 : 0 }));
  const balance = rows.filter(({ target }) => target === 0).length / rows.filter(({ target }) => target === 1).length;
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
    for (const { features, target } of rows) {
      const guess = 1 / (1 + Math.exp(-scoreOf(features, weights)));
      const error = (target - guess) * (target === 1 ? balance : 1);
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

const all = examples();
const foldOf = all.map(({ line }) => line % FOLDS);

/** Scores of sentences that their model had not seen. */
const held = Array.from({ length: FOLDS }, (_, fold) => {
  const weights = quantised(
    train(
      all.filter((__, index) => foldOf[index] !== fold),
      randomOf(SEED),
    ),
  );
  return all
    .filter((__, index) => foldOf[index] === fold)
    .map((example) => ({
      ...example,
      verdict: judgeSentence(example.text),
      score: scoreOf(featuresOf(example.text, judgeSentence(example.text)), weights),
    }));
}).flat();
const others = held
  .filter(({ isRequest, isProse }) => !isRequest && !isProse)
  .map(({ score }) => score)
  .sort((a, b) => b - a);
const threshold = Math.ceil(others[Math.floor(others.length * MISTAKES)] as number) + 1;
// Where the grammar errs, the model must not agree.
const traps = held
  .filter(({ isRequest, isProse, verdict }) => !isRequest && isProse !== true && verdict === 'certain')
  .sort((a, b) => b.score - a.score);
const sure = Math.max(Math.ceil(threshold * MARGIN), Math.ceil(traps[0]?.score ?? 0) + 1);
for (const { text, score } of traps) console.log(`the grammar errs at a score of ${Math.round(score)}: ${text}`);
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
const requests = held.filter(({ isRequest }) => isRequest);
const isFound = ({ verdict, score }: (typeof held)[number]) => verdict === 'certain' || score >= threshold;
const certain = requests.filter(({ verdict, score }) => verdict === 'certain' && score >= sure);
const found = share(requests.filter(isFound).length, requests.length);

const WIDTH = 380;
const text = Buffer.from(quantised(train(all, randomOf(SEED)))).toString('base64');
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
  `${all.length} sentences, ${requests.length} requests; at a score of ${threshold} ${found} are found, and ${share(certain.length, requests.length)} for certain, at ${sure}`,
);
