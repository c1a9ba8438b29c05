import { expect, it } from 'vitest';
import { explainRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

/** "Shows the parts: what was cut and why, what spoke for each verdict", with the email that was answered. */

const OURS = 'Would you have ten minutes for a call about the roof of your building?';
const SENT = Buffer.from(message({ From: 'Zoe <zoe@example.com>', To: 'ada@corp.example', 'Message-ID': '<abc@example.com>' }, OURS));
const answer = (headers: Record<string, string>, text: string[]) =>
  Buffer.from(message({ From: 'Ada <ada@corp.example>', Subject: 'Re: Hello', 'In-Reply-To': '<abc@example.com>', ...headers }, text));

it('names every part that was cut, and why', async () => {
  const raw = answer({}, ['Sure.', '', 'Sent from my iPhone', '', 'Zoe je napisala:', OURS, '> older', '--', 'Ada']);
  const { result, cuts } = await explainRaw(raw, SENT);
  expect(result).toMatchObject({ verdict: 'reply', ownText: 'Sure.' });
  expect(cuts.map(({ reason, text }) => [reason, text.trim()])).toEqual([
    ['line of a device', 'Sent from my iPhone'],
    ['introduces a quotation', 'Zoe je napisala:'],
    ['repeats our email', OURS],
    ['marked as a quotation', '> older'],
    ['signature or footer', '--\nAda'],
  ]);
});

it('names what spoke for each verdict; the proof of the email that was sent takes the sign of spam away', async () => {
  const raw = answer({ 'X-Spam-Flag': 'YES', Subject: 'Hello' }, ['I am out of the office until Monday.']);
  const signs = async (sent: Buffer | null) => (await explainRaw(raw, sent)).signs.map(({ verdict, reasons }) => [verdict, ...reasons]);
  expect(await signs(null)).toEqual([
    ['auto_reply', 'words of an absence notice'],
    ['other', 'marked as spam'],
  ]);
  expect(await signs(SENT)).toEqual([['auto_reply', 'words of an absence notice']]);
  expect((await explainRaw(answer({}, ['Yes.']), SENT)).signs).toEqual([{ verdict: 'reply', reasons: ['no sign of a program'] }]);
});
