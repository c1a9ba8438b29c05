const BASIC = /^\s*(?:(?:greeting|EHLO|HELO|STARTTLS|AUTH(?: [A-Z\d-]+)?): )?([245]\d\d)(?=[\s-]|$)/;

/** An enhanced status code in a reply (RFC 3463 §2). */
export const ENHANCED = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/**
 * Returns the codes of a server's reply: `250`, `550 5.1.1`, `5.1.1` (RFC 5321 §4.2, RFC 3463); null if it has none. The reply code is at
 * the beginning, or after the name of the refused command; the status may be anywhere. Leaves the words out, because they may name the
 * recipient.
 */
export function replyCode(text: string): string | null {
  const codes = [BASIC.exec(text)?.[1], ENHANCED.exec(text)?.[1]].filter((code) => code !== undefined);
  return codes.length === 0 ? null : codes.join(' ');
}
