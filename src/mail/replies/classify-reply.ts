import { EXCEPTIONS } from './exceptions.ts';
import { GENERAL } from './general.ts';
import { isAboutUs, wordsOf } from './known-names.ts';
import { MAILBOX_FULL } from './mailbox-full.ts';
import { MESSAGE } from './message.ts';
import { OUR_HOST, POLICY } from './policy.ts';
import { RECIPIENT } from './recipient.ts';
import type { Reply, ReplyClass, ReplyVerdict } from './reply.ts';
import { ENHANCED } from './reply-code.ts';
import type { Rule } from './rule.ts';
import { SENDER_LIMITS } from './sender-limits.ts';
import { SENDER_RIGHTS } from './sender-rights.ts';
import { TEMPORARY } from './temporary.ts';

/** Rules for known replies. The first match decides. Words come before codes, specific rules before general ones. */
export const RULES: readonly Rule[] = [
  // Misleading words, which decide whatever else the reply says.
  ...EXCEPTIONS,
  // The account has sent as much as it may.
  ...SENDER_LIMITS,
  // Problems that are nobody's fault and pass soon.
  ...TEMPORARY,
  // The login, and the permission to send.
  ...SENDER_RIGHTS,
  ...MAILBOX_FULL,
  // Size, form or content of the message itself.
  ...MESSAGE,
  // Our own host, in words that servers also use about the recipient's.
  ...OUR_HOST,
  // The recipient certainly does not exist.
  ...RECIPIENT,
  // Reputation, authentication of our domain, unwanted content.
  ...POLICY,
  // No known wording: general words, statuses and codes.
  ...GENERAL,
];

const MAX_TEXT = 4_000;

/** Classifies a server's refusal by the rules; if none matches, by its codes and the phase in which it came. Pure and total. */
export function classifyReply(reply: Reply): ReplyVerdict {
  const text = wordsOf({ ...reply, text: reply.text.slice(0, MAX_TEXT) });
  const status = specific(reply.enhanced) ?? ENHANCED.exec(text)?.[1] ?? reply.enhanced ?? '';
  const code = reply.code ?? Number(/^\s*([245]\d\d)\b/.exec(text)?.[1] ?? `${status.charAt(0)}00`);
  const isTransient = String(code).startsWith('4') || (reply.code === null && status.startsWith('4'));
  const found = RULES.find((rule) => matches(rule, reply.phase, code, status, text));
  if (found !== undefined && appliesTo(found, code, isTransient))
    return { ...inContext(found.class, text), rule: found.name, isKnown: true };
  if (isTransient || code === 421) return { class: 'temp', rule: 'a 4xx without a rule', isKnown: false };
  return byPhase(reply.phase);
}

/** Returns the status, or null for one such as `5.0.0` or `5.5.0`, which says nothing: the text may have a better one. */
const specific = (status: string | null) => (status === null || /^[245]\.[05]\.0$/.test(status) ? null : status);

function matches({ phases, codes, phrases, statuses }: Rule, phase: Reply['phase'], code: number, status: string, text: string): boolean {
  if (phases !== undefined && !phases.includes(phase)) return false;
  if (codes !== undefined && !codes.some((known) => known === code || known === `${String(code).charAt(0)}xx`)) return false;
  if (phrases?.matches(text)) return true;
  return statuses?.some((known) => known === status || (known.endsWith('*') && status.startsWith(known.slice(0, -1)))) ?? false;
}

/**
 * Weakens a hard verdict that the rest of the reply contradicts. Servers use the same words about our address and domain, which proves
 * nothing about the recipient (RFC 3463 X.1.7, X.1.8). And a server that asks us to try again later is not saying that the recipient does
 * not exist.
 */
function inContext(meaning: ReplyClass, text: string): { class: ReplyClass } {
  if (meaning !== 'hard') return { class: meaning };
  if (isAboutUs(text)) return { class: 'block' };
  return { class: COME_BACK.test(text) ? 'temp' : 'hard' };
}

const COME_BACK = /\b(?:please )?(?:re)?try (?:it )?(?:again )?later\b|\btry again\b(?! with)/i;

/**
 * True if a matching rule applies to the kind of code. A transient reply is never permanent, whatever its words. A 421 closes the
 * connection and says nothing about the message, so only limits apply to it.
 */
function appliesTo(rule: Rule, code: number, isTransient: boolean): boolean {
  if (isTransient && ['hard', 'block', 'message'].includes(rule.class)) return false;
  return code !== 421 || rule.class === 'limit';
}

/**
 * Classifies a reply that no rule matches. Before the recipient is named it is about the account; afterwards it proves nothing about either
 * of them.
 */
function byPhase(phase: Reply['phase']): ReplyVerdict {
  const isAccount = phase === 'connect' || phase === 'auth' || phase === 'mail';
  return { class: isAccount ? 'account' : 'block', rule: `a 5xx at ${phase} without a rule`, isKnown: false };
}
