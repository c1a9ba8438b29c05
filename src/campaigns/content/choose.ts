import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '../../core/random.ts';
import { type Mark, marksOf } from './notation.ts';

/** A choice or condition that encloses the text. */
interface Enclosing {
  /** True if the enclosing text goes into the email. */
  isTaken: boolean;
  /** Index of the text that is taken. For a condition 0, or 1 for the text after `{{else}}`. */
  taken: number;
  /** Index of the text that is being read. */
  at: number;
  isChoice: boolean;
}

/** True for marks that produce text. */
const isPrinted = ({ role }: Mark) => role === 'value' || role === 'brace' || role === 'escape';

/**
 * Takes one text of each choice and the applicable text of each condition, in one pass.
 * @param isFilled returns true for a key that has a value
 * @param seed decides the choices; each of their texts is equally likely
 * @returns the text in pieces: plain text, and placeholders
 */
export function choose(text: string, marks: readonly Mark[], isFilled: (key: string) => boolean, seed: string): (string | Mark)[] {
  const pieces: (string | Mark)[] = [];
  const enclosing: Enclosing[] = [];
  let random: Random | undefined;
  const draw = ({ options }: Mark) => {
    random ??= seededRandom(createHash('sha256').update(seed).digest().readUInt32LE());
    return random.integer(0, options - 1);
  };
  let [at, isTaken, choices] = [0, true, 0];
  for (const mark of marks) {
    if (isTaken && mark.start > at) pieces.push(text.slice(at, mark.start));
    at = mark.end;
    if (isPrinted(mark)) {
      if (isTaken) pieces.push(mark.role === 'value' ? mark : printed(text, mark, choices > 0));
      continue;
    }
    if (mark.role === 'open' || mark.role === 'if') {
      const isChoice = mark.role === 'open';
      const taken = !isTaken ? -1 : isChoice ? draw(mark) : Number(!isFilled(mark.key));
      enclosing.push({ isTaken, taken, at: 0, isChoice });
      choices += Number(isChoice);
    }
    isTaken = passMark(enclosing, mark);
    if (mark.role === 'close') choices--;
  }
  pieces.push(isTaken ? text.slice(at) : '');
  return pieces;
}

/** Updates the enclosing choices at a mark. Returns true if the text after it goes into the email. */
function passMark(enclosing: Enclosing[], { role }: Mark): boolean {
  if (role === 'close' || role === 'endif') return enclosing.pop()?.isTaken ?? true;
  const innermost = enclosing.at(-1);
  if (innermost === undefined) return true;
  if (role === 'bar' || role === 'else') innermost.at++;
  return innermost.isTaken && innermost.at === innermost.taken;
}

/** Outside of choices only a brace can be escaped. A backslash before any other character is text. */
function printed(text: string, { role, start, end }: Mark, isInChoice: boolean): string {
  const whole = text.slice(start, end);
  return role === 'escape' && (isInChoice || whole === '\\{') ? whole.slice(1) : whole;
}

/**
 * True if a text always contains one of certain placeholders, whichever of its choices and conditions apply.
 * @param isOne returns true for the key of such a placeholder
 */
export function alwaysContains(text: string, isOne: (key: string) => boolean): boolean {
  const enclosing: { before: boolean; inAll: boolean; isOpenEnded: boolean }[] = [];
  let has = false;
  for (const { role, key } of marksOf(text)) {
    if (role === 'value') has ||= isOne(key);
    if (role === 'open' || role === 'if') {
      enclosing.push({ before: has, inAll: true, isOpenEnded: role === 'if' });
      has = false;
    }
    const innermost = enclosing.at(-1);
    if (innermost === undefined || !['bar', 'else', 'close', 'endif'].includes(role)) continue;
    innermost.inAll &&= has;
    if (role === 'else') innermost.isOpenEnded = false;
    has = false;
    if (role === 'bar' || role === 'else') continue;
    has = innermost.before || (innermost.inAll && !innermost.isOpenEnded);
    enclosing.pop();
  }
  return has;
}
