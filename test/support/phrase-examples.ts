import type { Part, Phrase } from '../../src/mail/phrases/notation.ts';

const MAX_EXAMPLES = 500;

/** Returns the texts that a phrase matches: every choice, and each gap empty and filled. If there are many, the first 500. */
export function examplesOf(phrase: Phrase): string[] {
  let texts = [''];
  for (const part of phrase) texts = texts.flatMap((text) => partExamples(part).map((more) => text + more)).slice(0, MAX_EXAMPLES);
  return texts;
}

function partExamples(part: Part): readonly string[] {
  if (part.kind === 'text') return [part.text];
  if (part.kind === 'choice') return part.options.flatMap(examplesOf);
  return part.kind === 'pattern' ? part.examples : [''];
}
