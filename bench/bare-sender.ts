import { createTransport } from 'nodemailer';
import { textOf } from '../src/mail/text-alternative.ts';
import { BODY, SUBJECT } from './sending.ts';

const TEXT = textOf(BODY);

const merged = (template: string, values: Record<string, string>) =>
  template.replaceAll(/\{\{(\w+)[^}]*\}\}/g, (_, key: string) => values[key] ?? '');

/**
 * Sends emails with nodemailer alone: its pool, one connection per account, and every message merged for its recipient, with
 * the same headers, parts and encoding as ours. The text is merged from a template compiled once, which we can't do. Nothing is
 * checked before an email and nothing is recorded after it.
 * @returns the duration in seconds
 */
export async function sendBare(port: number, connections: number, emails: number): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const send = (index: number) => {
    const values = { name: `Ada ${index}`, company: `Company ${index}` };
    const address = `sender-${1 + (index % connections)}@example.com`;
    return transport.sendMail({
      from: { name: '', address },
      to: { name: values.name, address: `contact-${index}@example.com` },
      subject: merged(SUBJECT, values),
      html: merged(BODY, values),
      text: merged(TEXT, values),
      messageId: `<bare-${index}@example.com>`,
      date: new Date(),
      headers: { 'X-Entity-Ref-ID': `bare-${index}`, 'List-Unsubscribe': `<mailto:${address}?subject=unsubscribe>` },
      textEncoding: 'quoted-printable',
      newline: 'windows',
    });
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: emails }, (_, index) => send(index)));
  const seconds = (performance.now() - begin) / 1_000;
  transport.close();
  return seconds;
}
