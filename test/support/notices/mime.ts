import { type Draft, SENT } from './changes.ts';

/** The header and body of a message of a single part or several. */
interface Entity {
  type: string;
  body: string;
}

const part = ({ type, body }: Entity) => `Content-Type: ${type}\n\n${body}`;

function multipart(type: string, boundary: string, parts: readonly Entity[]): Entity {
  const body = [...parts.map((each) => `--${boundary}\n${part(each)}`), `--${boundary}--`].join('\n');
  return { type: `${type}; boundary="${boundary}"`, body };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function textEntity({ text, isHtml, encoding }: Draft): Entity {
  const type = `text/${isHtml ? 'html' : 'plain'}; charset=utf-8`;
  const body = isHtml ? `<html><body><div>${escaped(text).replaceAll('\n', '<br>\n')}</div></body></html>` : text;
  if (encoding === '8bit') return { type, body };
  return { type: `${type}\nContent-Transfer-Encoding: base64`, body: Buffer.from(body).toString('base64').replaceAll(/.{76}/g, '$&\n') };
}

function reportEntity(draft: Draft): Entity {
  const text = textEntity(draft);
  const { status, returned } = draft;
  if (status === null && returned === null) return text;
  // Servers without a delivery status put the email below their own text.
  if (status === null && draft.encoding === '8bit' && !draft.isHtml)
    return { ...text, body: `${draft.text}\n\n--- Original message follows ---\n\n${returned}` };
  const parts = [text, ...(status === null ? [] : [{ type: 'message/delivery-status', body: status }])];
  const all = [...parts, ...(returned === null ? [] : [{ type: 'message/rfc822', body: returned }])];
  return multipart(status === null ? 'multipart/mixed' : 'multipart/report; report-type=delivery-status', 'report', all);
}

/** The message that arrives. */
export function rawNotice(draft: Draft): Buffer {
  const { attachedTo: outer, returnPath } = draft;
  const notice = headed({ ...draft, date: SENT }, reportEntity(draft));
  const parts = (text: string) => [
    { type: 'text/plain', body: text },
    { type: 'message/rfc822', body: notice },
  ];
  const whole = outer === null ? notice : headed(outer, multipart('multipart/mixed', 'outer', parts(outer.text)));
  const path = returnPath === null ? '' : `Return-Path: ${returnPath}\n`;
  return Buffer.from(`${path}${whole}\n`.replaceAll('\n', '\r\n'));
}

const headed = ({ from, subject, date }: { from: string; subject: string; date: string }, entity: Entity) =>
  `From: ${from}\nTo: zoe@example.com\nSubject: ${subject}\nDate: ${date}\nMIME-Version: 1.0\n${part(entity)}`;
