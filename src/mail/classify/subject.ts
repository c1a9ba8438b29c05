import { ANSWER_PREFIXES } from './phrases/subject-prefixes.ts';

const ANSWER_PREFIX = new RegExp(`^${ANSWER_PREFIXES.pattern}\\s*(\\[\\d+\\]|\\(\\d+\\))?\\s*[:：]\\s*`, 'iu');
const TAG =
  /^(\[[^\]]{1,60}\]|\((ext|external|extern|externo)[^)]{0,20}\)|\*{3}[^*]{1,30}\*{3}|external( mail| email)?:|\{[^}]{1,30}\})\s*/iu;

/** The last subject and its plain form, because one message needs it many times. */
let last = { subject: '', plain: '' };

/** A subject without the tags that mailing lists and gateways put before it; an answer keeps its prefix. */
export function plainSubject(subject: string): string {
  if (subject !== last.subject) last = { subject, plain: withoutTags(subject) };
  return last.plain;
}

function withoutTags(subject: string): string {
  let text = subject.normalize('NFKC').trim();
  for (let count = 0; count < 5 && TAG.test(text); count++) text = text.replace(TAG, '');
  return text;
}

/** A subject without tags and prefixes, in lower case: the same for every message of a thread. */
export function threadSubject(subject: string): string {
  let text = plainSubject(subject);
  for (let count = 0; count < 20 && ANSWER_PREFIX.test(text); count++) text = withoutTags(text.replace(ANSWER_PREFIX, ''));
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** True for a subject with the prefix of an answer ("Re:") or a forwarded message ("Fwd:"), in any known language. */
export const isAnswerSubject = (subject: string): boolean => ANSWER_PREFIX.test(plainSubject(subject));
