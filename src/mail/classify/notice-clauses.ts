import { MONTH_PATTERN, plain, SHORT_WEEKDAY_PATTERN, WEEKDAY_PATTERN } from './calendar-words.ts';
import type { InboundMessage } from './message.ts';
import { NOTICE_SENTENCES } from './phrases/absence-notices.ts';
import { ABSENCE_SENTENCES } from './phrases/absence-sentences.ts';
import { COMING_BACK } from './phrases/coming-back.ts';
import { LEFT_COMPANY } from './phrases/left-company.ts';
import { ANSWER_SOON, CLOSINGS, GREETINGS, HOW_TO_GO_ON, JOINS, THANKS_FOR_MESSAGE } from './phrases/notice-clauses.ts';
import { RECEIPT_SENTENCES } from './phrases/receipts.ts';
import { returnDate } from './return-date.ts';
import { isAnswerSubject } from './subject.ts';

const MAX_NOTICE = 1_200;
/** A dot after one or two digits belongs to a date. */
const END_OF_CLAUSE = new RegExp(
  `(?<!\\d)\\.+|,+(?!\\d)|[!。！;:，；、\\n]+|(?<=\\d{3})\\.+(?=\\s)|\\s[–—-]\\s|\\s(?=(?:${JOINS.pattern})\\s)`,
  'giu',
);
const JOIN = new RegExp(`^(?:${JOINS.pattern})\\s+`, 'iu');
/** Words of coming back. "Get back to you" means an answer, not a return. */
const COMES_BACK = new RegExp(`(?<!\\p{L})(?<!(?:call|come|get|getting|hear|write|touch) )${COMING_BACK.pattern}`, 'iu');
const DATE_WORD = new RegExp(`(?<!\\p{L})(?:${MONTH_PATTERN}|${WEEKDAY_PATTERN}|${SHORT_WEEKDAY_PATTERN})(?!\\p{L})|\\d+`, 'gu');

/**
 * Returns the kind of a text that contains nothing but an absence or a receipt: each clause states it, thanks for the message, or is a
 * date, a greeting or a closing. Null for a text that says or asks more, because a person wrote it. Null also for an answer that says that
 * somebody has left the company, because colleagues write just that; unless it names a day of return, in which case the author is away and
 * somebody else left.
 */
export function noticeKind({ from, subject, date }: InboundMessage, own: string): 'absence' | 'receipt' | null {
  if (own === '' || own.length > MAX_NOTICE || /[?？؟]\s*$/mu.test(own)) return null;
  let kind: 'absence' | 'receipt' | null = null;
  let isFirst = true;
  for (const clause of clausesOf(bodyOf(own, from?.name ?? ''))) {
    const mayGreet = isFirst;
    isFirst = false;
    if (mayGreet && isGreeting(clause)) continue;
    if (saysAbsence(clause)) kind ??= 'absence';
    else if (RECEIPT_SENTENCES.matches(clause) || ANSWER_SOON.matches(clause)) kind = kind === 'absence' ? kind : 'receipt';
    else if (!THANKS_FOR_MESSAGE.matches(clause) && !HOW_TO_GO_ON.matches(clause) && !isDate(clause)) return null;
  }
  if (kind === null) return null;
  const isOfColleague = isAnswerSubject(subject) && LEFT_COMPANY.matches(own) && returnDate(own, date) === null;
  return isOfColleague ? null : kind;
}

const isGreeting = (line: string) => GREETINGS.matches(line) && /^[^.,!，。！]{1,40}[.,!，。！:]?$/.test(line);
/** True for the closing of a letter. False for "Thanks for reaching out!", which is about the message. */
const isClosing = (line: string) => CLOSINGS.matches(line) && line.split(' ').length <= 5 && !THANKS_FOR_MESSAGE.matches(line);

/** Returns the lines between the greeting and the closing of a letter. */
function bodyOf(text: string, name: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => line !== '');
  const start = first >= 0 && (isGreeting(lines[first] as string) || /^[^.!]{1,30},$/.test(lines[first] as string)) ? first + 1 : 0;
  const end = lines.findIndex((line, at) => at > start && (isClosing(line) || (name !== '' && line === name)));
  return lines.slice(start, end === -1 ? undefined : end).join('\n');
}

/** Yields the clauses of a text. They are split lazily, because the first clause of a person's answer ends the search. */
function* clausesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    END_OF_CLAUSE.lastIndex = start;
    const end = END_OF_CLAUSE.exec(text);
    const clause = text.slice(start, end?.index).trim().replace(JOIN, '');
    start = end === null ? text.length : END_OF_CLAUSE.lastIndex;
    if (/\p{L}/u.test(clause)) yield clause;
  }
}

const saysAbsence = (clause: string) =>
  ABSENCE_SENTENCES.matches(clause) || NOTICE_SENTENCES.matches(clause) || LEFT_COMPANY.matches(clause) || COMES_BACK.test(plain(clause));

/** True if a clause has a date and hardly any word besides. */
const isDate = (clause: string) => {
  const text = plain(clause);
  const rest = text.replaceAll(DATE_WORD, ' ');
  return rest !== text && !/\p{L}{4}/u.test(rest);
};
