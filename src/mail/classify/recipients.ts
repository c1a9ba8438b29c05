import { addressesIn, cleanAddress, domainOf, localPartOf, sameAddress } from './addresses.ts';
import type { Mail } from './message.ts';
import { RECIPIENT_LABELS } from './phrases/recipient-labels.ts';
import { HELP_DESKS } from './phrases/senders.ts';
import type { Returned } from './returned.ts';

/** A recipient that a notice names, with the words around it that tell what was wrong. */
export interface NamedRecipient {
  address: string;
  /** From the line of the address on, up to the next one. */
  reason: string;
  /** The rule that found it. */
  layout: string;
  /** Whether the notice names it as the recipient, and not just somewhere. */
  isCertain: boolean;
}

const ADDRESS =
  '["\'`“‘<\\[(]{0,3}(?:SMTP[:=]|mailto:|rfc822;)?\\s?([^\\s<>"\'`:;,()\\[\\]：；，、。（）【】「」]{1,64}@[^\\s<>"\'`:;,()\\[\\]：；，、。（）【】「」]{1,255})';

/** How notices name a recipient, the most certain first. Each catches the address in its first group. */
const LAYOUTS: readonly { name: string; weight: number; pattern: RegExp }[] = [
  { name: 'address and colon', weight: 8, pattern: new RegExp(`^[ \\t*-]{0,12}<${ADDRESS}>[^\\n]{0,4}:`, 'gm') },
  { name: 'address and colon', weight: 8, pattern: new RegExp(`^[ \\t*-]{0,12}${ADDRESS}[^\\s]{0,3}[ \\t]*[:;][ \\t]*($|[^/\\s])`, 'gm') },
  {
    name: 'label',
    weight: 8,
    pattern: new RegExp(`${RECIPIENT_LABELS.pattern}[ \\t]{0,4}(?:[:：=]|\\bis\\b|\\bwas\\b|[ \\t\\n])\\s{0,12}${ADDRESS}`, 'gimu'),
  },
  {
    name: 'bounce of a line',
    weight: 7,
    pattern: new RegExp(`^[ \\t>*-]{0,20}${ADDRESS}[\\])>"']{0,3}[ \\t]*(?:\\([^\\n]*\\))?[ \\t.=]*$`, 'gm'),
  },
  { name: 'answer to RCPT', weight: 6, pattern: new RegExp(`RCPT TO:? ?${ADDRESS}`, 'gi') },
  { name: 'address and date', weight: 8, pattern: new RegExp(`^[ \\t]{0,12}${ADDRESS} on [a-z]{3}, \\d`, 'gim') },
  { name: 'X.400', weight: 8, pattern: /dda:SMTP=([^\s;]{1,64}@[^\s;]{1,255});/gi },
  { name: 'beginning of a line', weight: 5, pattern: new RegExp(`^[ \\t]{0,12}${ADDRESS}[\\])>"',]{0,3}[ \\t]`, 'gm') },
  { name: 'field of the returned mail', weight: 3, pattern: new RegExp(`(?:^|\\s)To:[ \\t]{0,8}${ADDRESS}`, 'gm') },
  { name: 'address in a sentence', weight: 2, pattern: new RegExp(`(?:^|[\\s<"'(\\[:=、。，：（「【])${ADDRESS}`, 'gm') },
];

const HELP_DESK = new RegExp(`^${HELP_DESKS.pattern}$`, 'iu');
/** Where the way an address is named leaves no doubt. */
const CERTAIN = 6;
const MAX_NOTICE = 12_000;
const MAX_REASON = 1_500;
const MAX_FOUND = 300;

/** The recipient of which a notice speaks: by the way it is named, by the returned mail, and by who it can't be. */
export function namedRecipient(mail: Mail, notice: string, returned: Returned): NamedRecipient | null {
  const text = notice.slice(0, MAX_NOTICE);
  const candidates = candidatesIn(text).map((candidate) => ({
    ...candidate,
    score: candidate.weight + standing(candidate.address, mail, returned),
  }));
  const best = candidates.sort((a, b) => b.score - a.score || a.index - b.index)[0];
  const local = best === undefined || best.score < CERTAIN ? localNameIn(mail, text) : null;
  if (local !== null) return local;
  if (best !== undefined && best.score > 0) {
    const reason = reasonAt(text, best.index);
    return { address: writtenTo(best.address, reason), layout: best.layout, reason, isCertain: best.score >= CERTAIN };
  }
  if (returned.to === null || sameAddress(returned.to, mail.to[0]?.address ?? null)) return null;
  return { address: returned.to, layout: 'returned mail', reason: text.slice(0, MAX_REASON), isCertain: false };
}

interface Candidate {
  address: string;
  index: number;
  weight: number;
  layout: string;
}

function candidatesIn(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const { name, weight, pattern } of LAYOUTS) {
    for (const match of text.matchAll(pattern)) {
      const address = cleanAddress(match[1] as string);
      if (address !== null && /\.\w+$|@\[|^[^@]+@[\w-]+$/u.test(address))
        found.push({ address, weight, layout: name, index: match.index + match[0].indexOf(match[1] as string) });
      if (found.length >= MAX_FOUND) return found;
    }
  }
  return found;
}

/** Whom the mail is from and to, and who is asked for help, did not fail. */
function standing(address: string, mail: Mail, returned: Returned): number {
  let points = 0;
  if (sameAddress(address, returned.to)) points += 4;
  const isOurs = mail.to.some((to) => sameAddress(to.address, address)) || sameAddress(address, returned.from);
  if (isOurs && !sameAddress(address, returned.to)) points -= 6;
  if (sameAddress(address, mail.from?.address ?? null)) points -= 6;
  if (HELP_DESK.test(localPartOf(address))) points -= 4;
  return points;
}

/** The lines from the address on, until the next named address or a gap after something was said. */
function reasonAt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index) + 1;
  const lines = text.slice(start, start + MAX_REASON).split('\n');
  const reason: string[] = [];
  let isTold = false;
  for (const [count, line] of lines.entries()) {
    const isNext = count > 0 && /^[ \t]{0,12}<?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?:?\s*$/.test(line) && addressesIn(line).length > 0;
    if (isNext && isTold) break;
    if (line.trim() === '' && isTold && reason.length > 4) break;
    isTold ||= count > 0 && line.trim() !== '';
    reason.push(line);
  }
  return reason.join('\n');
}

/** Sendmail and Postfix name the address that a mail was forwarded to, and behind it the one that it was written to. */
const writtenTo = (address: string, reason: string): string =>
  /\(expanded from:? <?([^\s<>()]{1,64}@[^\s<>()]{1,255})>?\)/.exec(reason.slice(0, 500))?.[1] ?? address;

/** AOL names its users without the domain: one word alone in a line after the sentence that says what failed. */
function localNameIn(mail: Mail, text: string): NamedRecipient | null {
  if (mail.from === null) return null;
  const match =
    /(?:recipients?|address(?:es)?|users?|delivered to the following)\b[^\n]*(?:\n[^\n]+){0,3}[:.]?\n\s*\n?[ \t]{1,24}([\w.+-]{2,64})(?:[ \t]*$|[ \t]{3,}\S)/im.exec(
      text,
    );
  if (match === null) return null;
  return {
    address: `${match[1]}@${domainOf(mail.from.address)}`,
    layout: 'name without a domain',
    reason: text.slice(0, MAX_REASON),
    isCertain: true,
  };
}
