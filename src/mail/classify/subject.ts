import { ANSWER_PREFIXES } from './phrases/subject-prefixes.ts';

const ANSWER_PREFIX = new RegExp(`^${ANSWER_PREFIXES.pattern}\\s*(\\[\\d+\\]|\\(\\d+\\))?\\s*[:：]\\s*`, 'iu');
const TAG =
  /^(\[[^\]]{1,60}\]|\((ext|external|extern|externo)[^)]{0,20}\)|\*{3}[^*]{1,30}\*{3}|external( mail| email)?:|\{[^}]{1,30}\})\s*/iu;

/** Caches the last subject and its forms, because one message needs them many times. */
let last = { subject: '', plain: '', thread: '', isAnswer: false };

function formsOf(subject: string): typeof last {
  if (subject === last.subject) return last;
  const plain = withoutTags(subject);
  last = { subject, plain, thread: threadOf(plain), isAnswer: ANSWER_PREFIX.test(plain) };
  return last;
}

/** Returns a subject without the tags that mailing lists and gateways put before it. An answer keeps its prefix. */
export const plainSubject = (subject: string): string => formsOf(subject).plain;

function withoutTags(subject: string): string {
  let text = subject.normalize('NFKC').trim();
  for (let count = 0; count < 5 && TAG.test(text); count++) text = text.replace(TAG, '');
  return text;
}

/** Returns a subject without tags and prefixes, in lower case. It is the same for every message of a thread. */
export const threadSubject = (subject: string): string => formsOf(subject).thread;

function threadOf(plain: string): string {
  let text = plain;
  for (let count = 0; count < 20 && ANSWER_PREFIX.test(text); count++) text = withoutTags(text.replace(ANSWER_PREFIX, ''));
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** True for a subject with the prefix of an answer ("Re:") or a forwarded message ("Fwd:"), in any known language. */
export const isAnswerSubject = (subject: string): boolean => formsOf(subject).isAnswer;
