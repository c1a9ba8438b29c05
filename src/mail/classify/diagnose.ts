import { classifyReply, type ReplyClass } from '../replies/smtp-replies.ts';
import { REASONS_IN_LANGUAGES } from './reasons.ts';

/** What a failed delivery says of the address. */
export interface Diagnosis {
  isHard: boolean;
  class: ReplyClass;
  rule: string;
  /** The most telling status: that of the report, or one inside the answer where the report's is general. */
  status: string | null;
}

const ENHANCED = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** What an answer that stands in a bounce means. `status` is what a report says apart from the text. */
export function diagnose(text: string, status: string | null): Diagnosis {
  const reply = text.slice(0, 4_000);
  const verdict = classifyReply({ phase: 'dsn', code: replyCodeIn(reply), enhanced: status, text: reply });
  const inside = ENHANCED.exec(reply)?.[1] ?? null;
  const isGeneral = status === null || /^\d\.[05]\.\d$/.test(status);
  const best = isGeneral ? (inside ?? status) : status;
  const foreign = verdict.rule.endsWith('without a rule') ? REASONS_IN_LANGUAGES.find(([, pattern]) => pattern.test(reply)) : undefined;
  const result = foreign === undefined ? verdict : { class: foreign[0], rule: 'reason in another language' };
  return { isHard: result.class === 'hard', class: result.class, rule: result.rule, status: best };
}

/** The reply code of RFC 5321 in a text; the last one where a transcript shows several. */
function replyCodeIn(text: string): number | null {
  const codes = [...text.matchAll(/(?:^|[\s:;"'(<,#>])([45][0-7]\d)(?=[ -](?:\S)|\s*$)/gm)].map((match) => Number(match[1]));
  return codes.find((code) => code >= 500) ?? codes[0] ?? null;
}
