import { domainOf } from '../../core/email-address.ts';
import { addressesIn, cleanAddress, localPartOf, sameAddress } from './addresses.ts';
import { allMatches } from './all-matches.ts';
import type { InboundMessage } from './message.ts';
import { RECIPIENT_LABELS } from './phrases/recipient-labels.ts';
import { HELP_DESKS } from './phrases/senders.ts';
import type { ReturnedEmail } from './returned-email.ts';

/** A recipient that a bounce names, with the text around it that gives the reason. */
export interface NamedRecipient {
  address: string;
  /** The lines from the address to the next address. */
  reason: string;
  /** The layout by which it was found. */
  layout: string;
  /** True if the notice names it as the recipient, and does not merely mention it. */
  isCertain: boolean;
  /** True if only the returned email contains it. */
  isReturned?: true;
}

const ADDRESS =
  '["\'`“‘<\\[(]{0,3}(?:SMTP[:=]|mailto:|rfc822;)?\\s?([^\\s<>"\'`:;,()\\[\\]：；，、。（）【】「」]{1,64}@[^\\s<>"\'`:;,()\\[\\]：；，、。（）【】「」]{1,255})';

const RETURNED_TO = 'To field of the returned email';

/** Layouts in which notices name a recipient, the most certain first. The first group of each pattern is the address. */
const LAYOUTS: readonly { name: string; layoutScore: number; pattern: RegExp }[] = [
  { name: 'address and colon', layoutScore: 8, pattern: new RegExp(`^[ \\t*-]{0,12}<${ADDRESS}>[^\\n]{0,4}:`, 'gm') },
  {
    name: 'address and colon',
    layoutScore: 8,
    pattern: new RegExp(`^[ \\t*-]{0,12}${ADDRESS}[^\\s]{0,3}[ \\t]*[:;][ \\t]*($|[^/\\s])`, 'gm'),
  },
  {
    name: 'label',
    layoutScore: 8,
    pattern: new RegExp(`${RECIPIENT_LABELS.pattern}[ \\t]{0,4}(?:[:：=]|\\bis\\b|\\bwas\\b|[ \\t\\n])\\s{0,12}${ADDRESS}`, 'gimu'),
  },
  {
    name: 'address on its own line',
    layoutScore: 7,
    pattern: new RegExp(`^[ \\t>*-]{0,20}${ADDRESS}[\\])>"']{0,3}[ \\t]*(?:\\([^\\n]*\\))?[ \\t.=]*$`, 'gm'),
  },
  { name: 'reply to RCPT', layoutScore: 6, pattern: new RegExp(`RCPT TO:? ?${ADDRESS}`, 'gi') },
  { name: 'address and date', layoutScore: 8, pattern: new RegExp(`^[ \\t]{0,12}${ADDRESS} on [a-z]{3}, \\d`, 'gim') },
  { name: 'X.400', layoutScore: 8, pattern: /dda:SMTP=([^\s;]{1,64}@[^\s;]{1,255});/gi },
  { name: 'start of a line', layoutScore: 5, pattern: new RegExp(`^[ \\t]{0,12}${ADDRESS}[\\])>"',]{0,3}[ \\t]`, 'gm') },
  { name: RETURNED_TO, layoutScore: 3, pattern: new RegExp(`(?:^|\\s)To:[ \\t]{0,8}${ADDRESS}`, 'gm') },
  { name: 'address in a sentence', layoutScore: 2, pattern: new RegExp(`(?:^|[\\s<"'(\\[:=、。，：（「【])${ADDRESS}`, 'gm') },
];

const HELP_DESK = new RegExp(`^${HELP_DESKS.pattern}$`, 'iu');
/** The lowest score that is certain. */
const CERTAIN_SCORE = 6;
const MAX_NOTICE = 12_000;
const MAX_REASON = 1_500;
const MAX_CANDIDATES = 300;

/**
 * Finds the recipient that a notice is about; null if there is none. Candidates score by the layout that names them and by the returned
 * email. The sender, the account and help desks lose points.
 */
export function namedRecipient(message: InboundMessage, notice: string, returned: ReturnedEmail): NamedRecipient | null {
  const text = notice.slice(0, MAX_NOTICE);
  const candidates = candidatesIn(text).map((candidate) => ({
    ...candidate,
    score: candidate.layoutScore + plausibility(candidate.address, message, returned),
  }));
  const best = candidates.sort((a, b) => b.score - a.score || a.index - b.index)[0];
  const local = best === undefined || best.score < CERTAIN_SCORE ? localNameIn(message, text) : null;
  if (local !== null) return local;
  if (best !== undefined && best.score > 0) {
    const reason = reasonAt(text, best.index);
    const isReturned = best.layout === RETURNED_TO ? ({ isReturned: true } as const) : {};
    return { address: sentTo(best.address, reason), layout: best.layout, reason, isCertain: best.score >= CERTAIN_SCORE, ...isReturned };
  }
  if (returned.to === null || sameAddress(returned.to, message.to[0]?.address ?? null)) return null;
  return { address: returned.to, layout: 'the returned email', reason: text.slice(0, MAX_REASON), isCertain: false, isReturned: true };
}

interface Candidate {
  address: string;
  index: number;
  layoutScore: number;
  layout: string;
}

function candidatesIn(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const { name, layoutScore, pattern } of LAYOUTS) {
    for (const match of allMatches(pattern, text)) {
      const address = cleanAddress(match[1] as string);
      if (address !== null && /\.\w+$|@\[|^[^@]+@[\w-]+$/u.test(address))
        found.push({ address, layoutScore, layout: name, index: match.index + match[0].indexOf(match[1] as string) });
      if (found.length >= MAX_CANDIDATES) return found;
    }
  }
  return found;
}

/** Returns points for the recipient of the returned email, and against senders, the account itself and help desks, which did not fail. */
function plausibility(address: string, message: InboundMessage, returned: ReturnedEmail): number {
  let points = 0;
  if (sameAddress(address, returned.to)) points += 4;
  const isOurs = message.to.some((to) => sameAddress(to.address, address)) || sameAddress(address, returned.from);
  if (isOurs && !sameAddress(address, returned.to)) points -= 6;
  if (sameAddress(address, message.from?.address ?? null)) points -= 6;
  if (HELP_DESK.test(localPartOf(address))) points -= 4;
  return points;
}

/** Returns the lines from the address to the next address, or to a blank line after the reason. */
function reasonAt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index) + 1;
  const lines = text.slice(start, start + MAX_REASON).split('\n');
  const reason: string[] = [];
  let hasReason = false;
  for (const [count, line] of lines.entries()) {
    const isNext = count > 0 && /^[ \t]{0,12}<?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?:?\s*$/.test(line) && addressesIn(line).length > 0;
    if (isNext && hasReason) break;
    if (line.trim() === '' && hasReason && reason.length > 4) break;
    hasReason ||= count > 0 && line.trim() !== '';
    reason.push(line);
  }
  return reason.join('\n');
}

/** Returns the address that the email was sent to. Sendmail and Postfix put it after the address that the email was forwarded to. */
const sentTo = (address: string, reason: string): string =>
  /\(expanded from:? <?([^\s<>()]{1,64}@[^\s<>()]{1,255})>?\)/.exec(reason.slice(0, 500))?.[1] ?? address;

/** Returns a recipient that is written without its domain, as AOL did: one word on its own line after the sentence about the failure. */
function localNameIn(message: InboundMessage, text: string): NamedRecipient | null {
  if (message.from === null) return null;
  // The lookahead and `\1` emulate an atomic group: once the first of these words in a line matched, no later one is tried.
  const match =
    /^(?=([^\n]*?(?:recipients?|address(?:es)?|users?|delivered to the following)\b))\1[^\n]*(?:\n[^\n]+){0,3}[:.]?\n\s*\n?[ \t]{1,24}([\w.+-]{2,64})(?:[ \t]*$|[ \t]{3,}\S)/im.exec(
      text,
    );
  if (match === null) return null;
  return {
    address: `${match[2]}@${domainOf(message.from.address)}`,
    layout: 'name without a domain',
    reason: text.slice(0, MAX_REASON),
    isCertain: true,
  };
}
