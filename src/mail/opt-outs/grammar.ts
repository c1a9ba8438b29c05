import { type Clause, Reader } from './clause.ts';
import { type Lexicon, ROLE } from './lexicons/lexicon.ts';

/** `certain`: the grammar is sure that it is a request. `likely`: a person should decide. */
export type Certainty = 'certain' | 'likely';

/**
 * Returns the certainty that a clause is a request to be removed; null if it is not one. A request is a verb with its object (me, my
 * address), or the verb alone. It is not negated, not conditional, and not about anything else.
 */
export function judge(clause: Clause, lexicon: Lexicon): Certainty | null {
  const c = new Reader(clause);
  if (c.has(ROLE.if)) return c.isWish && strongest([removal(c, lexicon), ceasing(c), refusing(c)]) !== undefined ? 'likely' : null;
  return strongest([removal(c, lexicon), unsubscribing(c), ceasing(c), refusing(c), objecting(c), blocking(c)]) ?? null;
}

const strongest = (found: readonly (Certainty | null)[]): Certainty | undefined =>
  found.find((each) => each === 'certain') ?? found.find((each) => each !== null) ?? undefined;

/** "Remove me", "take our address off your list", "I want to be removed". */
function removal(c: Reader, { language }: Lexicon): Certainty | null {
  const verb = verbOf(c);
  if (c.has(ROLE.not)) return null;
  if (verb === -1) return leaving(c) ?? throwing(c, language);
  const object = objectOf(c, verb, language);
  if (object === null && c.bits.every((each) => (each & (ROLE.remove | ROLE.filler | ROLE.could | ROLE.again)) !== 0))
    return c.is(verb, ROLE.remove) && c.sentence <= 8 && c.foreign === 0 ? 'likely' : null;
  if (object === null) return c.is(verb, ROLE.take) && c.has(ROLE.list) && c.has(ROLE.how | ROLE.want) && c.unknown === 0 ? 'likely' : null;
  const rest = placeIsOurs(c, verb);
  if (object === 'this') return rest === 'other' || c.has(ROLE.but) || c.isQuestion ? null : rest === 'list' ? 'certain' : 'likely';
  if (rest === 'other') return object === 'me' && c.has(ROLE.me) && c.has(ROLE.list) && !c.has(ROLE.but) ? 'likely' : null;
  // "Remove the old number from your database" may ask for a correction: the right number stays.
  if (c.has(ROLE.how) || (object !== 'me' && c.has(ROLE.but))) return 'likely';
  if (c.isOfWriter && !c.has(ROLE.want | ROLE.could) && object !== 'me') return null;
  if (c.has(ROLE.but) && rest !== 'list') return null;
  if (c.isQuestion && !c.has(ROLE.could | ROLE.want)) return 'likely';
  if (rest === 'unsure') return INFLECTED.has(language) ? null : 'likely';
  return 'certain';
}

/** "I want out of this list": a wish without a verb. */
function leaving(c: Reader): Certainty | null {
  const off = c.at(ROLE.off);
  return off !== -1 && c.has(ROLE.want) && c.has(ROLE.list | ROLE.mail) && c.unknown === 0 && !c.isQuestion && !c.has(ROLE.but)
    ? 'certain'
    : null;
}

/** "Toglietemi!": in some languages the verb itself says where from. In English it would be "take me". */
const throwing = (c: Reader, language: string): Certainty | null =>
  language !== 'en' && c.bits.length <= 3 && c.has(ROLE.take) && c.has(ROLE.me) && c.unknown === 0 && !c.isQuestion ? 'likely' : null;

/** The place of the verb of removal: "remove", or "take" with its "off". */
function verbOf(c: Reader): number {
  const remove = c.at(ROLE.remove);
  if (remove !== -1) return remove;
  const removed = c.at(ROLE.removed);
  if (removed !== -1 && c.has(ROLE.be | ROLE.want)) return removed;
  const take = c.at(ROLE.take);
  return take !== -1 && c.has(ROLE.off) ? take : -1;
}

/** Languages in which "from the list" is one word. */
const INFLECTED = new Set(['et', 'fi', 'hu', 'lt', 'tr']);

/** Returns the thing to be removed: the writer, or their data; null for anything else. */
function objectOf(c: Reader, verb: number, language: string): 'me' | 'data' | 'this' | null {
  // In English the object follows the verb.
  const from = language === 'en' && !c.is(verb, ROLE.removed) ? verb : Math.max(0, verb - 8);
  const isPassive = c.is(verb, ROLE.removed) || (c.has(ROLE.be) && c.has(ROLE.want));
  for (let index = from; index < Math.min(c.bits.length, verb + 12); index++) {
    if (index === verb && !c.is(index, ROLE.me)) continue;
    if (c.is(index, ROLE.my) && c.is(index, ROLE.data)) return 'data';
    if (c.is(index, ROLE.my) && nounAfter(c, index)) return 'data';
    if (c.is(index, ROLE.data) && (c.is(index + 1, ROLE.my) || c.is(index + 2, ROLE.my))) return 'data';
    if (c.is(index, ROLE.me) && (Math.abs(index - verb) <= 5 || (index > verb && c.has(ROLE.data)))) return 'me';
  }
  if (isPassive && c.has(ROLE.i | ROLE.want) && (!c.is(verb, ROLE.take) || c.has(ROLE.list))) return 'me';
  // "Remove from your list", with an implied object.
  if (c.has(ROLE.list) && c.unknown === 0 && !c.has(ROLE.but) && (c.at(ROLE.off) !== -1 || INFLECTED.has(language))) return 'me';
  if (c.has(ROLE.want) && c.has(ROLE.data) && c.unknown === 0 && !c.isOfWriter) return 'this';
  // "Delete this address from your list"
  return c.has(ROLE.data) &&
    (c.has(ROLE.list) ||
      c.bits.some(
        (each, at) => (each & ROLE.data) !== 0 && (each & ROLE.mail) === 0 && (c.is(at - 1, ROLE.your) || c.is(at - 2, ROLE.your)),
      ))
    ? 'this'
    : null;
}

/** True if the noun after "my" is an address, a name or the like, as in "my old email address", but not in "my message". */
function nounAfter(c: Reader, my: number): boolean {
  for (let index = my + 1; index <= my + 3; index++) {
    if (c.is(index, ROLE.data)) return true;
    if (!c.is(index, ROLE.filler)) return false;
  }
  return false;
}

/** True if the list is the writer's own: "We want to delete contacts from our database". */
function isOwnList(c: Reader): boolean {
  const isMine = (at: number) => c.is(at, ROLE.my) && !c.is(at, ROLE.data);
  // "Our system deletes emails after a month."
  if (!c.isOfWriter && !c.has(ROLE.want))
    return c.bits.some((each, at) => (each & ROLE.list) !== 0 && (each & (ROLE.data | ROLE.mail)) === 0 && isMine(at - 1));
  return c.bits.some((each, at) => (each & ROLE.list) !== 0 && ((isMine(at - 1) && !c.is(at - 2, ROLE.data)) || isMine(at + 1)));
}

/** Returns where to remove from: a list or nowhere; `other` for another thing, `unsure` if unknown words follow. */
function placeIsOurs(c: Reader, verb: number): 'list' | 'nowhere' | 'other' | 'unsure' {
  if (isOwnList(c)) return 'other';
  const isTake = !c.is(verb, ROLE.remove | ROLE.removed);
  for (let off = c.at(ROLE.off); off !== -1; off = c.at(ROLE.off, off + 1)) {
    for (let index = off + 1; index < c.bits.length; index++) {
      if (c.is(index, ROLE.list | ROLE.mail | ROLE.unsubscribe) && !c.is(index, ROLE.but))
        return c.is(index + 1, ROLE.off) && c.isUnknown(index + 2) ? 'other' : 'list';
      if (c.isUnknown(index) || c.is(index, ROLE.but)) {
        const mayBeAdjective = c.at(ROLE.list, index) !== -1 && !c.is(index, ROLE.but);
        return mayBeAdjective && !isTake ? 'list' : 'other';
      }
    }
  }
  if (c.has(ROLE.list)) return 'list';
  return c.unknown === 0 ? 'nowhere' : 'unsure';
}

/** True if "my" is next to a word. */
const isBesideMy = (c: Reader, at: number): boolean => !c.is(at, ROLE.my) && (c.is(at - 1, ROLE.my) || c.is(at + 1, ROLE.my));

/** "Unsubscribe", "I would like to opt out": a verb that needs no object. */
function unsubscribing(c: Reader): Certainty | null {
  const verb = c.at(ROLE.unsubscribe);
  if (verb === -1 || c.has(ROLE.not | ROLE.but)) return null;
  const off = c.at(ROLE.off, verb + 1);
  if (off !== -1 && !ours(c, off)) return null;
  for (let index = verb + 1; index < c.bits.length; index++) if (c.is(index, ROLE.my) && c.isUnknown(index + 1)) return null;
  if (c.has(ROLE.how)) return c.unknown === 0 ? 'likely' : null;
  // "My colleague wants to unsubscribe" may not be the writer's own request; "our company wants to unsubscribe" is.
  if (!c.has(ROLE.i | ROLE.me) && c.bits.slice(0, verb).some((each, at) => (each === 0 || (each & ROLE.data) !== 0) && isBesideMy(c, at)))
    return 'likely';
  const isMine = c.near(ROLE.unsubscribe, ROLE.me, 3) || c.near(ROLE.unsubscribe, ROLE.want, 3);
  if (c.isQuestion && (!c.has(ROLE.me) || c.isOfWriter)) return c.unknown === 0 ? 'likely' : null;
  if (c.unknown === 0) return 'certain';
  // "Many people unsubscribe from our newsletter."
  if (c.bits.slice(0, verb).some((_, at) => c.isUnknown(at))) return isMine && c.unknown <= 2 ? 'likely' : null;
  if (isMine && off !== -1) return 'certain';
  if (isMine && c.unknown <= 2) return 'certain';
  return c.unknown === 1 && c.bits.length <= 4 && !c.isQuestion ? 'likely' : null;
}

/** True if "from" is followed by a list or by nothing. */
function ours(c: Reader, off: number): boolean {
  for (let index = off + 1; index < c.bits.length; index++) {
    if (c.is(index, ROLE.list | ROLE.mail | ROLE.again)) return true;
    if (c.isUnknown(index)) return false;
  }
  return true;
}

/** "Stop emailing me", "enough of these messages", "Stop." */
function ceasing(c: Reader): Certainty | null {
  const stop = c.at(ROLE.stop);
  if (stop === -1 || c.has(ROLE.but)) return null;
  const isNegated = c.is(stop, ROLE.not) || (c.has(ROLE.not) && c.at(ROLE.not) < stop && !c.near(ROLE.not, ROLE.again, 2));
  if (isNegated) return null;
  const onlyVerb = c.bits.every((each) => (each & (ROLE.stop | ROLE.filler | ROLE.me | ROLE.your)) !== 0);
  // "Once a month would be enough."
  if (onlyVerb && c.has(ROLE.could) && c.has(ROLE.be)) return null;
  if (onlyVerb) return c.isQuestion || c.sentence > 9 || c.foreign > 1 ? null : c.sentence > 6 ? 'likely' : 'certain';
  const what = c.has(ROLE.send | ROLE.call | ROLE.receive) ? 'doing' : c.has(ROLE.mail) ? 'mail' : null;
  if (what === null) return null;
  const isOurs = c.isOfWriter && !c.has(ROLE.me);
  if (isOurs || (c.isQuestion && !c.has(ROLE.me | ROLE.could))) return null;
  const object = c.has(ROLE.me | ROLE.data) || c.has(ROLE.mail);
  if (c.unknown === 0 || (c.has(ROLE.me) && c.unknown <= 2 && c.near(ROLE.stop, ROLE.send | ROLE.mail, 3)))
    return object || what === 'mail' ? 'certain' : 'likely';
  return object && c.unknown <= 2 && c.near(ROLE.stop, ROLE.send | ROLE.call | ROLE.mail, 3) ? 'likely' : null;
}

/** "Do not write again", "I do not want any more emails", "no further contact". */
function refusing(c: Reader): Certainty | null {
  const not = c.at(ROLE.not);
  if (not === -1 || c.has(ROLE.but)) return null;
  // "Do not stop writing to me."
  if (c.is(not + 1, ROLE.stop)) return null;
  // "Could you please not write to me again?"
  if (c.isQuestion) return c.has(ROLE.could) && c.has(ROLE.send) && c.has(ROLE.me) && c.unknown === 0 ? 'likely' : null;
  if (c.has(ROLE.remove | ROLE.unsubscribe)) return null;
  const wants = c.has(ROLE.want);
  if (!wants && c.has(ROLE.receive) && !(c.has(ROLE.send) && c.has(ROLE.me))) return null;
  // "Email" is a verb next to the negation or before "me".
  const sends = c.bits.some(
    (each, at) => (each & (ROLE.send | ROLE.call)) !== 0 && ((each & ROLE.mail) === 0 || c.is(at - 1, ROLE.not) || c.is(at + 1, ROLE.me)),
  );
  const object =
    c.has(ROLE.me | ROLE.again) ||
    (wants && c.isOfWriter && c.has(ROLE.be)) ||
    c.bits.some((each) => (each & ROLE.mail) !== 0 && (each & ROLE.send) === 0) ||
    (c.has(ROLE.data) && c.has(ROLE.your));
  const pure = c.unknown === 0;
  // A person who wants no calls may prefer email.
  if (sends && !c.has(ROLE.send | ROLE.mail)) return pure && object ? 'likely' : null;
  if (sends && !(c.isOfWriter && !wants)) {
    if (pure && object) return c.has(ROLE.data) && !c.has(ROLE.my | ROLE.your | ROLE.mail) ? 'likely' : 'certain';
    if (c.unknown === 1 && c.has(ROLE.again) && c.near(ROLE.not, ROLE.send | ROLE.call, 3)) return c.has(ROLE.mail) ? 'certain' : 'likely';
    if (c.unknown <= 3 && c.has(ROLE.again) && c.has(ROLE.me | ROLE.data | ROLE.mail) && c.near(ROLE.not, ROLE.send, 3)) return 'likely';
  }
  if (wants && (c.has(ROLE.mail) || (c.has(ROLE.receive) && c.has(ROLE.again | ROLE.your)))) {
    const first = c.bits.indexOf(0);
    // "I do not want other offers, I will sign this one."
    if (pure) return c.foreign === 0 ? 'certain' : 'likely';
    if (c.unknown <= 2 && first > not) return c.has(ROLE.again) && c.has(ROLE.mail) ? 'certain' : 'likely';
  }
  // "I do not want to be on this list."
  if (wants && c.has(ROLE.list) && !sends && c.unknown <= 1 && !isOwnList(c)) return 'likely';
  if (c.has(ROLE.mail) && c.has(ROLE.again) && pure && !c.has(ROLE.receive | ROLE.processing)) return 'certain';
  return c.near(ROLE.not, ROLE.mail, 1) && c.unknown === 0 && c.bits.length === c.sentence && !c.has(ROLE.receive) ? 'likely' : null;
}

/** "I object to the processing of my data", "I withdraw my consent" (GDPR Art. 7 and 21). */
function objecting(c: Reader): Certainty | null {
  if (c.has(ROLE.how) || c.isQuestion) return null;
  const isAboutData = c.has(ROLE.object) || (c.has(ROLE.stop) && c.has(ROLE.data | ROLE.mail));
  if (isAboutData && c.has(ROLE.my) && c.has(ROLE.processing)) return c.has(ROLE.not) ? null : 'certain';
  // An objection to unwanted messages.
  if (c.has(ROLE.object) && c.has(ROLE.mail) && c.unknown <= 1) return 'likely';
  if (c.has(ROLE.object) && (c.has(ROLE.processing) || (c.has(ROLE.my) && c.has(ROLE.data)))) return c.has(ROLE.not) ? null : 'certain';
  if (c.has(ROLE.consent) && c.has(ROLE.withdraw)) return c.has(ROLE.not) ? null : 'certain';
  if (c.has(ROLE.consent) && c.has(ROLE.not)) {
    if (c.has(ROLE.processing)) return 'certain';
    if (c.has(ROLE.mail | ROLE.send) || c.unknown <= 1) return 'likely';
  }
  // "Please do not use it for marketing", "This address must not be used for advertising."
  if (c.has(ROLE.not) && c.has(ROLE.processing) && c.has(ROLE.mail) && c.unknown <= 1 && !c.has(ROLE.but | ROLE.receive | ROLE.again))
    return 'likely';
  const isPure = c.unknown === 0 && !c.has(ROLE.but | ROLE.receive | ROLE.me | ROLE.again);
  if (c.has(ROLE.not) && c.has(ROLE.data) && c.has(ROLE.processing | ROLE.mail) && c.has(ROLE.your) && isPure) return 'likely';
  if (c.has(ROLE.right) && c.has(ROLE.remove) && c.has(ROLE.i | ROLE.my | ROLE.want) && !c.has(ROLE.not)) return 'likely';
  return null;
}

/** "Put me on your do-not-contact list". */
function blocking(c: Reader): Certainty | null {
  if (!c.has(ROLE.block) || c.has(ROLE.not) || c.isQuestion) return null;
  if (c.has(ROLE.if | ROLE.but)) return null;
  if (c.has(ROLE.me) || (c.has(ROLE.my | ROLE.your) && c.has(ROLE.data))) return c.unknown <= 1 ? 'certain' : 'likely';
  return null;
}
