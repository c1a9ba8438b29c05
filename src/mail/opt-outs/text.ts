/** Longer texts and sentences are truncated: opt-outs come before that. */
const MAX_TEXT = 20_000;
const MAX_SENTENCE = 600;
/** Lines of at least this length may have been wrapped by an email client. */
const WRAPPED = 50;

/** The boundary between two sentences of a line. */
const BETWEEN =
  /(?<=[.!?。！？؟;])(?<!\b(?:art|no|nr|dr|mr|mrs|ms|st|abs|bzw|ca|tel|čl|ст|пп|\p{L}|\d+)\.)(?=\s|\P{ASCII})|(?<=[。！？])/iu;
/** Punctuation between two sentences. A line without it is not searched for boundaries, which looks behind at every character. */
const HAS_TWO = /[.!?。！？؟;]./s;

/** Returns the sentences of a text, trimmed. Joins lines that an email client has wrapped. */
export function sentencesOf(text: string): string[] {
  const lines = text.slice(0, MAX_TEXT).split('\n');
  let joined = '';
  for (const line of lines) joined += line.trimEnd().length >= WRAPPED && !/[.!?:]\s*$/.test(line) ? `${line} ` : `${line}\n`;
  return joined
    .split('\n')
    .flatMap((line) => (HAS_TWO.test(line) ? line.split(BETWEEN) : line))
    .map((sentence) => sentence.trim().slice(0, MAX_SENTENCE))
    .filter((sentence) => /\p{L}/u.test(sentence));
}

const ADDRESS = /(?:https?:\/\/|www\.)\S+/g;
const MAILBOX = /<?(?<![\w.+-])[\w.+-]+@[\w.-]+>?/g;
/** "Not interested" and "no thanks", followed by a request without a comma. */
const REFUSAL = new RegExp(
  '(?<= )(?:not|no|kein|nicht|pas|non|nao|geen|niet|ej|inte|ikke|nie|nu|не|δεν|nem|en|ei|pole|לא|لست|غير) (?:[^\\s,;.:!?]+ ){0,2}?' +
    '(?:interes|intres|zainteres|interet|zanima|ενδιαφ|kiinnost|huvit|erdek|интерес|ціка|thank|danke|gracias|merci|grazie|מעוניי|מענינ|מהתמ|مهتم)\\p{L}*(?! (?:\\S{1,3} )?(?:' +
    'recei|recev|recib|receb|ricev|empfang|erhalt|ontvang|modtag|motta|otrzym|dostav|получ|отрим|λαμβ|λαβ|almak|לקבל|תלק|تلق|استلام))',
  'gu',
);

/** Returns a folded sentence with `<link>` and `<mailbox>` for links and addresses, and a space before and after. */
export function plainSentence(folded: string): string {
  const spaced = ` ${folded} `;
  const bare = /[@/]|www/.test(spaced) ? spaced.replaceAll(ADDRESS, ' <link> ').replaceAll(MAILBOX, ' <mailbox> ') : spaced;
  return bare
    .replaceAll(/ [-–—] /g, ' , ')
    .replaceAll(/follow-ups?|follow ups/g, 'followups')
    .replaceAll(/(?<=\p{L})'(?=(?:t|ll|ve|re|d|m|s)(?!\p{L}))/gu, '')
    .replaceAll(/[-_']/g, ' ');
}

/** Returns the words of a plain sentence. */
export const wordsOf = (plain: string): readonly string[] => plain.match(/\p{L}+/gu) ?? [];

/** Returns a text with single spaces between its words and none around them. */
export const singleSpaced = (text: string): string => text.replaceAll(/ {2,}/g, ' ').trim();

/** The dot of "Art. 17" does not end a clause. */
const ABBREVIATION = /(?<=\P{L})(art|abs|lit|cl|st|ст|чл)\./gu;

/** A leading "but", as in "Thanks, but please do not write again". It contrasts the request with the thanks, not with another request. */
const BUT = /^ (?:but|aber|mais|pero|ma|mas|maar|men|mutta|ale|dar|но|ali|vendar|ampak|αλλα|ama|але|aga|bet|אבל|لكن|ولكن) (?=\S+ \S)/u;

/** Returns the clauses of a plain sentence, with a single space between, before and after their words. */
export function clausesOf(plain: string): string[] {
  const apart = plain.replaceAll(REFUSAL, ' , ');
  const ended = apart.includes('.') ? apart.replaceAll(ABBREVIATION, '$1 ').replaceAll(/(?<=\d)\.(?=\s)/g, ' ') : apart;
  return ended
    .split(/[.,;:!?()"„“”«»–—\n/|]+|؛|،|؟|<(?=\s)| [‚‛] /u)
    .map((clause) => ` ${singleSpaced(clause.replaceAll(/[^\p{L}\p{N}<>* ]+/gu, ' '))} `.replace(BUT, ' '))
    .filter((clause) => clause.length > 2);
}
