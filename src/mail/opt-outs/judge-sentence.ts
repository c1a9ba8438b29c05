import type { Clause } from './clause.ts';
import { isEastAsian, judgeEastAsian } from './east-asian.ts';
import { type Certainty, judge } from './grammar.ts';
import { LEXICONS } from './lexicons/languages.ts';
import { type Lexicon, roles } from './lexicons/lexicon.ts';
import { clausesOf, plainSentence, wordsOf } from './text.ts';
import { rolesOf } from './words.ts';

/** "Leave me alone", in every language. */
const IDIOMS = new RegExp(`(?<= )(?:${LEXICONS.flatMap(({ idioms }) => idioms).join('|')})(?= )`);
/** Words of an instruction to the reader: "click here to unsubscribe". */
const TELLS_HOW = new RegExp(
  '<link>| unsubscribe here | hier abmelden | (?:cli[ck]|kli[ck]+|cliqu|klops|πατηστε|κλικ|нажм|натисн|кликн|tikla|kattints|spaust|spausk|' +
    'spied|apasati|לחצ?ו?|اضغط|انقر)\\p{L}* ',
  'u',
);
interface Language {
  readonly lexicon: Lexicon;
  readonly at: number;
}
const LANGUAGES: readonly Language[] = LEXICONS.map((lexicon, at) => ({ lexicon, at }));
const FILLER = roles('filler');
const STOP = roles('stop');
const IF = roles('if');
/** Without one of these nothing is asked for. */
const STRONG = roles('remove', 'removed', 'unsubscribe', 'take', 'off', 'stop', 'not', 'block', 'object', 'withdraw');
const WISH = roles('not', 'want');
const DEED = roles('mail', 'send', 'receive', 'remove', 'unsubscribe', 'off', 'call');
const BUT = roles('but');
const MINE = roles('me', 'my');
const INSTRUCT = roles('instruct');
const OBJECT = roles('object');
const MAIL = roles('mail', 'send');
const AGAIN = roles('again');
const COULD = roles('could');
const RIGHT = roles('right');

/** The words that both readers of a sentence begin with. */
interface Parts {
  readonly sentence: string;
  readonly plain: string;
  readonly words: readonly string[];
  readonly best: readonly Language[];
}

/** Those of the last sentence: the model asks for them right after the grammar. */
let lastParts: Parts | null = null;

function partsOf(sentence: string): Parts {
  if (lastParts?.sentence === sentence) return lastParts;
  const plain = plainSentence(sentence);
  const words = wordsOf(plain);
  lastParts = { sentence, plain, words, best: bestLanguages(words) };
  return lastParts;
}

/** The certainty that a sentence asks for no more email, by the grammar of the languages that know most of its words; null for none. */
export function judgeSentence(sentence: string): Certainty | null {
  if (isEastAsian(sentence)) return judgeEastAsian(sentence);
  const { plain, words, best: known } = partsOf(sentence);
  const isStrong = (word: string, { lexicon, at }: Language) =>
    ((rolesOf(word)?.[at] ?? 0) & STRONG) !== 0 || lexicon.sequences.has(word.slice(0, 2));
  const languages = known.filter((each) => words.some((word) => isStrong(word, each)));
  if (languages.length === 0 && !IDIOMS.test(` ${words.join(' ')} `)) return null;
  const clauses = clausesOf(plain);
  if (clauses.some((clause) => TELLS_HOW.test(clause))) return null;
  const besideIdiom = clauses.filter((clause) => IDIOMS.test(clause)).map((clause) => clause.replace(IDIOMS, '').trim().split(' ').length);
  if (besideIdiom.some((count) => count <= 2)) return 'certain';
  let best: Certainty | null = besideIdiom.some((count) => count <= 5) ? 'likely' : null;
  for (const language of languages) {
    const certainty = inLanguage(readClauses(sentence, clauses, words, language), language.lexicon);
    if (certainty === 'certain') return certainty;
    best ??= certainty;
  }
  return best;
}

/** True for "Stop!" and the like, which has no object. */
export function isBareStop(sentence: string): boolean {
  const clauses = readSentence(sentence);
  const all = clauses.flatMap(({ bits }) => bits);
  return all.length > 0 && all.every((bits) => (bits & (STOP | FILLER)) !== 0) && all.some((bits) => (bits & STOP) !== 0);
}

/** The clauses of a sentence as the first of the languages that know most of its words understands them. */
export function readSentence(sentence: string): Clause[] {
  const { plain, words, best } = partsOf(sentence);
  const [language] = best;
  return language === undefined ? [] : readClauses(sentence, clausesOf(plain), words, language);
}

function readClauses(sentence: string, clauses: readonly string[], all: readonly string[], { lexicon, at }: Language): Clause[] {
  const foreign = all.filter((word) => ((rolesOf(word)?.[at] ?? 0) & ~BUT) === 0).length;
  const isWish = all.some((word) => ((rolesOf(word)?.[at] ?? 0) & COULD) !== 0);
  const shared = { sentence: all.length, foreign, isQuestion: /[?;؟]\s*$/.test(sentence) };
  return clauses.map((clause) => {
    const words = clause.trim().split(' ');
    return { ...shared, words, bits: read(words, lexicon, at), isWish };
  });
}

/** The languages that know most of the words; none where no language knows one. */
function bestLanguages(words: readonly string[]): readonly Language[] {
  const known = knownWords(words);
  const most = Math.max(...known, 1);
  return LANGUAGES.filter(({ at }) => known[at] === most);
}

/** The number of words that each language knows, in the order of LEXICONS. */
function knownWords(words: readonly string[]): number[] {
  const known = new Array<number>(LEXICONS.length).fill(0);
  for (const word of words) {
    const found = rolesOf(word);
    if (found === null) continue;
    for (let at = 0; at < known.length; at++) if (found[at] !== 0) (known[at] as number)++;
  }
  return known;
}

function inLanguage(clauses: readonly Clause[], lexicon: Lexicon): Certainty | null {
  const has = ({ bits }: Clause, role: number) => bits.some((each) => (each & role) !== 0);
  let isConditional = false;
  // "One more email and I will complain to the authorities."
  let isThreat = false;
  let isAnother = false;
  let best: Certainty | null = null;
  // "If you no longer wish to get these emails, reply …" is said to the reader.
  if (clauses.some((clause) => has(clause, IF)) && clauses.some((clause) => has(clause, INSTRUCT))) return null;
  for (const [index, clause] of clauses.entries()) {
    const next = clauses[index + 1];
    if (best === null && next !== undefined && isUnwished(clause) && THAT.has(next.words[0] as string))
      return judge(joined(clause, next), lexicon) === null ? null : 'likely';
    for (const part of split(clause, lexicon)) {
      const certainty = judge(part, lexicon);
      if (certainty === 'certain' && !isConditional) return certainty;
      if (certainty !== null && (!isConditional || has(part, MINE))) best = 'likely';
      isConditional ||= has(part, IF) && !clause.isWish;
    }
    isThreat ||= has(clause, OBJECT);
    isAnother ||= has(clause, MAIL) && (has(clause, AGAIN) || has(clause, IF));
  }
  return best ?? (isThreat && isAnother ? 'likely' : null);
}

/** Words that begin what is wished: "I do not want that you remove me". "We do not need it, do not write" are two clauses. */
const THAT = new Set(
  'dass das ze aby zeby чтобы чтоб что щоб hogy etta et ka kad lai да da bi ότι οτι να dat at att que che ki'.split(' '),
);

/** "I do not want", about what the next clause says. */
const isUnwished = ({ bits }: Clause): boolean => {
  const all = bits.reduce((sum, each) => sum | each, 0);
  return (all & WISH) === WISH && (all & DEED) === 0 && bits.length <= 6;
};

const joined = (first: Clause, second: Clause): Clause => ({
  ...first,
  words: [...first.words, ...second.words],
  bits: [...first.bits, ...second.bits],
});

/** The roles of each word in a language, of words that follow one another those of the sequence. */
function read(words: readonly string[], { sequences }: Lexicon, at: number): number[] {
  const bits = words.map((word) => rolesOf(word)?.[at] ?? 0);
  for (const [index, word] of words.entries())
    for (const sequence of sequences.get(word.slice(0, 2)) ?? []) {
      const matches = sequence.words.every(({ text, isStem }, offset) => {
        const found = words[index + offset];
        return isStem ? found?.startsWith(text) : found === text;
      });
      if (!matches) continue;
      bits.fill(FILLER, index, index + sequence.words.length);
      bits[index] = sequence.bits;
    }
  // The number of an article of law.
  for (const [index, word] of words.entries())
    if (/^\d+$/.test(word) && (((bits[index - 1] ?? 0) | (bits[index + 1] ?? 0)) & RIGHT) !== 0) bits[index] = FILLER;
  return bits;
}

/** The requests of a clause: "remove me and do not write again" are two. */
function split(clause: Clause, { splits }: Lexicon): Clause[] {
  const parts: Clause[] = [];
  let from = 0;
  for (let index = 0; index <= clause.words.length; index++) {
    if (index < clause.words.length && !splits.has(clause.words[index] as string)) continue;
    if (index > from) parts.push({ ...clause, words: clause.words.slice(from, index), bits: clause.bits.slice(from, index) });
    from = index + 1;
  }
  return parts;
}
