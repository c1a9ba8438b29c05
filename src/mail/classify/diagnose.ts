import { classifyReply } from '../replies/classify-reply.ts';
import { isMissingForGood } from '../replies/recipient.ts';
import type { ReplyClass, ReplyVerdict } from '../replies/reply.ts';
import { ENHANCED } from '../replies/reply-code.ts';
import { allMatches } from './all-matches.ts';
import { FOREIGN_MAILBOX_FULL, FOREIGN_NO_SUCH_RECIPIENT } from './phrases/bounce-reasons.ts';

/** The diagnosis of a failed delivery. */
export interface Diagnosis {
  /** True if the address must not be tried again. */
  isHard: boolean;
  class: ReplyClass;
  /** The rule that decided, for display. */
  rule: string;
  /** False if the codes decided because no known phrase gives the reason. */
  isKnown: boolean;
  /** The most specific RFC 3463 status: that of the report, or the one in the reply if that of the report is general. */
  status: string | null;
}

const REPLY_CODE = /(?:^|[\s:;"'(<,#>])([45][0-7]\d)(?=[ -](?:\S)|\s*$)/gm;

/**
 * Diagnoses the reason that a bounce gives.
 * @param text a server's reply, or the notice that contains it
 * @param status the RFC 3463 status in the report, separate from the text
 */
export function diagnose(text: string, status: string | null): Diagnosis {
  const reply = text.slice(0, 4_000);
  const verdict = classifyReply({ phase: 'dsn', code: replyCodeIn(reply), enhanced: status, text: reply });
  const inside = ENHANCED.exec(reply)?.[1] ?? null;
  const isGeneral = status === null || /^\d\.[05]\.\d$/.test(status);
  const best = isGeneral ? (inside ?? status) : status;
  const foreign = verdict.isKnown ? null : foreignReason(reply);
  const found =
    foreign === null ? (lastReply(verdict, reply) ?? verdict) : { class: foreign, rule: 'reason in another language', isKnown: true };
  return { ...found, isHard: found.class === 'hard', status: best };
}

/**
 * Returns the verdict on the last reply before a server gave up: a missing recipient is then permanent even with a transient code.
 * Otherwise null.
 */
function lastReply(verdict: ReplyVerdict, reply: string): ReplyVerdict | null {
  const isMissing = verdict.class === 'temp' && !verdict.isKnown && isMissingForGood(reply);
  return isMissing ? { class: 'hard', rule: 'no such recipient, up to the last attempt', isKnown: true } : null;
}

/** Returns the reason in a language other than English. The rules for replies know only English. */
function foreignReason(reply: string): ReplyClass | null {
  if (FOREIGN_MAILBOX_FULL.matches(reply)) return 'soft';
  return FOREIGN_NO_SUCH_RECIPIENT.matches(reply) ? 'hard' : null;
}

/** Returns the reply code (RFC 5321) in a text. If there are several, as in a transcript, returns the first permanent one. */
function replyCodeIn(text: string): number | null {
  const codes = allMatches(REPLY_CODE, text).map((match) => Number(match[1]));
  return codes.find((code) => code >= 500) ?? codes[0] ?? null;
}
