/** Prefixes of answers and of what is passed on, as mail programs of many languages write them. */
const ANSWER =
  're|aw|antw|antwort|sv|vs|odp|ynt|rif|r|res|rv|tr|enc|fw|fwd|wg|rép|ref|ang|bls|doorst|i|pd|ilt|отв|ответ|пересл|回复|回覆|答复|答覆|回信|转发|轉寄|회신|전달|返信|תשובה|רד';
const ANSWER_PREFIX = new RegExp(`^(${ANSWER})\\s*(\\[\\d+\\]|\\(\\d+\\))?\\s*[:：]\\s*`, 'iu');
const TAG =
  /^(\[[^\]]{1,60}\]|\((ext|external|extern|externo)[^)]{0,20}\)|\*{3}[^*]{1,30}\*{3}|external( mail| email)?:|\{[^}]{1,30}\})\s*/iu;

/** A subject without the tags that lists and gateways put before it; answers keep their prefix. */
export function plainSubject(subject: string): string {
  let text = subject.normalize('NFKC').trim();
  for (let count = 0; count < 5 && TAG.test(text); count++) text = text.replace(TAG, '');
  return text;
}

/** A subject without tags and prefixes, in lower case: what the mails of one thread have in common. */
export function threadSubject(subject: string): string {
  let text = plainSubject(subject);
  for (let count = 0; count < 20 && ANSWER_PREFIX.test(text); count++) text = plainSubject(text.replace(ANSWER_PREFIX, ''));
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Whether the subject is one of an answer or of something passed on. */
export const isAnswerSubject = (subject: string): boolean => ANSWER_PREFIX.test(plainSubject(subject));
