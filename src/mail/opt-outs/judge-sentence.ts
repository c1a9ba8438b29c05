import type { Clause } from './clause.ts';
import { judgeEastAsian } from './east-asian.ts';
import { type Certainty, judge } from './grammar.ts';
import { IDIOMS } from './idioms.ts';
import { type Lexicon, roles } from './lexicons/lexicon.ts';
import type { Sentence } from './sentence.ts';

/** Words of instructions to the reader: "click here to unsubscribe". */
const TELLS_HOW = new RegExp(
  '<link>| unsubscribe here | hier abmelden | (?:cli[ck]|kli[ck]+|cliqu|klops|πατηστε|κλικ|нажм|натисн|кликн|tikla|kattints|spaust|spausk|' +
    'spied|apasati|לחצ?ו?|اضغط|انقر)\\p{L}* ',
  'u',
);
const FILLER = roles('filler');
const STOP = roles('stop');
const IF = roles('if');
const WISH = roles('not', 'want');
const ACTION = roles('mail', 'send', 'receive', 'remove', 'unsubscribe', 'off', 'call');
const MINE = roles('me', 'my');
const INSTRUCT = roles('instruct');
const OBJECT = roles('object');
const MAIL = roles('mail', 'send');
const AGAIN = roles('again');
const CALL = roles('call');
const NOT = roles('not');
const COULD = roles('could');
const SEND = roles('send');
/** Roles that never occur in an order to send something elsewhere. */
const NOT_ELSEWHERE = roles('not', 'stop', 'i', 'me', 'again', 'if', 'object');
const REFUSAL = roles('not', 'stop');
/** Relative pronouns: "the advertising, which we ordered from you". The clause before says only half of what is meant. */
const RELATIVE = /^(?:котор|ко[ийяе]то|як(?:ий|а|е|і|у|их)$|kter|ktor|koj[aieu]$|welch|which$)/;

/** "We buy", "I order", "I will sign" in the first person, "you have convinced me": people who say so do not want to be removed. */
const BUYS = new RegExp(
  '^(?:buy|buying|ordering|signing|kaufen|kaufe|unterschreiben?|achet(?:e|ons)|signe|signons|compr(?:o|amos)|firm(?:o|amos|iamo)|compriamo|' +
    'assin(?:o|amos)|kopen|tekenen|kober|kjoper|koper|bestaller|kupuj\\p{L}*|kupimy?|koupim\\p{L}*|zamawia(?:m|my)|objednav\\p{L}*|podepis\\p{L}*|' +
    'podpisuj\\p{L}*|покупаем|покупаю|куплю|купим|подпиш(?:у|ем)|купуемо|купую|підпиш(?:у|емо)|купувам\\p{L}*|поръчвам\\p{L}*|perk(?:u|ame|am)|' +
    'uzsakau|uzsakome|pasutam|osta(?:n|me|mme)|tilamme|tellime|vesszuk|megvesszuk|megrendel\\p{L}*|cumpar(?:am)?|semn(?:ez|am)|narucujem\\p{L}*|' +
    'aliyor(?:um|uz)|αγοραζουμε|αγοραζω|παραγγελνουμε|קונים|קונה|سنشتري|نشتري|biore|beru|berem|беру|' +
    '(?:convin|convenc|overtuig|overbevis|overtyga|uberzeug|przekona|presvedc|переконал|убедил|убедих|itikin|parliecin|veen[da]|vakuut|meggyoz|ikna|uvjeril|prepric|πεισα|שכנע|اقنع)\\p{L}*)$',
  'u',
);

/**
 * Returns the certainty that a sentence is an opt-out, by the grammar of the languages that know most of its words; null if it is not one.
 */
export function judgeSentence(sentence: Sentence): Certainty | null {
  if (sentence.isEastAsian) return judgeEastAsian(sentence.text);
  // Without a word of a request it is not one.
  const asked = sentence.meanings.reduce((set, { asks }) => set | asks, 0);
  const languages = sentence.languages.filter(({ at }) => (asked & (1 << at)) !== 0);
  if (languages.length === 0 && !IDIOMS.test(` ${sentence.words.join(' ')} `)) return null;
  const { clauses } = sentence;
  if (clauses.some((clause) => TELLS_HOW.test(clause))) return null;
  const besideIdiom = clauses.filter((clause) => IDIOMS.test(clause)).map((clause) => clause.replace(IDIOMS, ' ').trim().split(' ').length);
  if (besideIdiom.some((count) => count <= 2)) return 'certain';
  let best: Certainty | null = besideIdiom.some((count) => count <= 5) ? 'likely' : null;
  for (const language of languages) {
    const certainty = inLanguage(sentence.read(language), language.lexicon);
    if (certainty === 'certain') return certainty;
    best ??= certainty;
  }
  return best;
}

/** True for "Stop!" and the like, which has no object. */
export function isBareStop(sentence: Sentence): boolean {
  const all = sentence.read().flatMap(({ bits }) => bits);
  return all.length > 0 && all.every((bits) => (bits & (STOP | FILLER)) !== 0) && all.some((bits) => (bits & STOP) !== 0);
}

/** True if a word of the clause has one of these roles. */
const has = ({ bits }: Clause, mask: number): boolean => bits.some((each) => (each & mask) !== 0);

function inLanguage(clauses: readonly Clause[], lexicon: Lexicon): Certainty | null {
  let isConditional = false;
  // "One more email and I will complain to the authorities."
  let isThreat = false;
  let isAnother = false;
  let best: Certainty | null = null;
  // "If you no longer wish to get these emails, reply …" is an instruction to the reader.
  if (clauses.some((clause) => has(clause, IF)) && clauses.some((clause) => has(clause, INSTRUCT))) return null;
  for (const [index, clause] of clauses.entries()) {
    const next = clauses[index + 1];
    if (best === null && next !== undefined && isUnwished(clause) && THAT.has(next.words[0] as string))
      return judge(joined(clause, next), lexicon) === null ? null : 'likely';
    for (const part of split(clause, lexicon)) {
      const certainty = judge(part, lexicon);
      if (certainty === 'certain' && !isConditional) return isAboutOther(clauses, index) ? 'likely' : certainty;
      if (certainty !== null && (!isConditional || has(part, MINE))) best = 'likely';
      isConditional ||= has(part, IF) && !has(part, COULD);
    }
    isThreat ||= has(clause, OBJECT);
    isAnother ||= has(clause, MAIL) && (has(clause, AGAIN) || has(clause, IF));
  }
  return best ?? (isThreat && isAnother ? 'likely' : null);
}

/**
 * True if another clause shows that it may not be an opt-out: "stop the advertising, which we ordered for October", "it is enough if you
 * send a link", "do not send it to me, send it to the accountants", "no more emails, just call me", "do not call, an email is enough".
 */
function isAboutOther(clauses: readonly Clause[], index: number): boolean {
  const own = clauses[index] as Clause;
  const next = clauses[index + 1];
  if (next !== undefined) {
    if (RELATIVE.test(next.words[0] as string) && next.bits.includes(0)) return true;
    if (has(next, IF) && own.bits.length <= 2) return true;
    if (has(own, REFUSAL) && BUT.has(next.words[0] as string) && next.bits.length <= 3 && next.bits.includes(0, 1)) return true;
    if (has(own, REFUSAL) && has(next, SEND) && next.bits.includes(0) && !has(next, NOT_ELSEWHERE)) return true;
  }
  if (clauses.some((clause, at) => at !== index && !has(clause, NOT) && clause.words.some((word) => BUYS.test(word)))) return true;
  return clauses.some((clause, at) => at !== index && has(clause, CALL) && !(has(clause, REFUSAL) && has(own, NOT)));
}

/** Conjunctions of a contrast: "Do not send it to me, but to the secretary." */
const BUT = new Set('but sondern mais sino ma mas maar men mutta ale но а али ampak αλλα vaid bet אלא بل'.split(' '));

/**
 * Conjunctions that start the object of a wish: "I do not want that you remove me". "We do not need it, do not write" has none: it is two
 * statements.
 */
const THAT = new Set(
  'dass das ze aby zeby чтобы чтоб что щоб hogy etta et ka kad lai да da bi ότι οτι να dat at att que che ki'.split(' '),
);

/** True for "I do not want" alone, which refers to the next clause. */
const isUnwished = ({ bits }: Clause): boolean => {
  const all = bits.reduce((sum, each) => sum | each, 0);
  return (all & WISH) === WISH && (all & ACTION) === 0 && bits.length <= 6;
};

const joined = (first: Clause, second: Clause): Clause => ({
  ...first,
  words: [...first.words, ...second.words],
  bits: [...first.bits, ...second.bits],
});

/** Splits a clause into its requests: "remove me and do not write again" has two. */
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
