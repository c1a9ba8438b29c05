import { Buffer } from 'node:buffer';

const WORDS = 'thank you for writing we looked at the plan and would like to talk about dates next week because the team is small'.split(
  ' ',
);
const prose = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => WORDS[(seed * 7 + index * 5) % WORDS.length]).join(' ');

const header = (fields: Record<string, string>) =>
  Object.entries({ To: 'zoe@example.com', Date: 'Tue, 7 Jul 2026 12:00:00 +0000', 'MIME-Version': '1.0', ...fields })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n');

const multipart = (fields: Record<string, string>, parts: readonly string[]) =>
  `${header({ ...fields, 'Content-Type': `${fields['Content-Type'] ?? 'multipart/alternative'}; boundary="b"` })}\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;

/** A person's reply above the quoted email, as text and HTML. */
function reply(seed: number): string {
  const own = prose(seed, 60);
  const quoted = prose(seed + 1, 120);
  return multipart({ From: `Ada <ada-${seed}@recipient.example>`, Subject: 'Re: Hello', 'In-Reply-To': `<mail-${seed}@example.com>` }, [
    `Content-Type: text/plain; charset=utf-8\r\n\r\n${own}\r\n\r\nOn Mon, 6 Jul 2026 at 10:00, Zoe <zoe@example.com> wrote:\r\n> ${quoted}`,
    `Content-Type: text/html; charset=utf-8\r\n\r\n<div>${own}</div><blockquote>${quoted}</blockquote>`,
  ]);
}

function bounce(seed: number): string {
  const to = `ada-${seed}@recipient.example`;
  const report = { From: 'MAILER-DAEMON@mx.example', Subject: 'Undelivered Mail Returned to Sender' };
  return multipart({ ...report, 'Content-Type': 'multipart/report; report-type=delivery-status' }, [
    `Content-Type: text/plain\r\n\r\nYour message could not be delivered.\r\n\r\n<${to}>: host mx said: 550 5.1.1 User unknown`,
    `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n`,
    `Content-Type: message/rfc822\r\n\r\nMessage-ID: <mail-${seed}@example.com>\r\nTo: ${to}\r\nSubject: Hello\r\n\r\n${prose(seed, 120)}`,
  ]);
}

const notice = (seed: number) =>
  `${header({ From: `ada-${seed}@recipient.example`, Subject: 'Automatic reply: Hello', 'Auto-Submitted': 'auto-replied' })}\r\n\r\nI am out of the office until 20 July 2026. ${prose(seed, 30)}\r\n`;

const newsletter = (seed: number) =>
  `${header({ From: 'news@shop.example', Subject: `News ${seed}`, 'List-Unsubscribe': '<https://shop.example/u>', 'Content-Type': 'text/html; charset=utf-8' })}\r\n\r\n<html><body><table>${`<tr><td><a href="https://shop.example/">${prose(seed, 20)}</a></td></tr>`.repeat(40)}</table></body></html>\r\n`;

/** Inbound messages: replies, newsletters, bounces and notices, in this order, repeated. */
export const inboundMessages = (count: number): Buffer[] => {
  const kinds = [reply, newsletter, bounce, reply, notice];
  return Array.from({ length: count }, (_, index) => Buffer.from((kinds[index % kinds.length] as typeof reply)(index)));
};
