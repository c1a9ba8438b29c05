import { expect, it } from 'vitest';
import { classifyRaw, type SentEmail } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';
import { emailWith, FOOTERS, RECIPIENT, REPLY_STYLES, type ReplyStyle, SENDER, SUBJECT } from '../../support/reply-styles.ts';

const ANSWERS = ['Sure, sounds good. Thursday at 3?', 'Kyllä, soita huomenna.', 'Hívjon holnap!', 'OK, please send me a price list.'];

const sentWith = (footer: readonly string[]): SentEmail => ({
  ...{ subject: SUBJECT, text: emailWith(footer).join('\n'), recipient: RECIPIENT, ours: [SENDER], isProved: true },
});

async function readAnswer(style: ReplyStyle, answer: string, footer: readonly string[], sent: SentEmail | null) {
  const raw = message(
    {
      From: `Ada <${RECIPIENT}>`,
      Subject: `Re: ${SUBJECT}`,
      'In-Reply-To': '<abc@example.com>',
      'Content-Type': `${style.type}; charset=utf-8`,
    },
    style.body(answer, emailWith(footer)),
  );
  return (await classifyRaw(Buffer.from(raw), sent)).result;
}

it('has 60 styles and 10 footers', () => {
  expect(REPLY_STYLES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(REPLY_STYLES.map(({ name }) => name)).size).toBe(REPLY_STYLES.length);
  expect(FOOTERS).toHaveLength(10);
});

it.each(REPLY_STYLES)('$name: "interested people must never be suppressed for a footer that we wrote ourselves"', async (style) => {
  for (const footer of FOOTERS)
    for (const answer of ANSWERS) {
      const { verdict, ownText, reasons } = await readAnswer(style, answer, footer, sentWith(footer));
      expect({ verdict, reasons, answer, footer }).toMatchObject({ verdict: 'reply' });
      expect(ownText, footer.join(' ')).toContain(answer);
      expect(ownText, footer.join(' ')).not.toContain('new building');
      expect(ownText, footer.join(' ')).not.toContain(footer[0]);
    }
});

it('a request to be removed in the words of our footer is one, in every style', async () => {
  const footer = FOOTERS[7] as readonly string[];
  // If everything is on one line, nothing separates the answer from the name of the sender.
  for (const style of REPLY_STYLES.filter(({ name }) => name !== 'all in one line')) {
    const { verdict } = await readAnswer(style, 'Remove me', footer, sentWith(footer));
    expect(verdict, style.name).toBe('unsubscribe_request');
  }
});

it('an answer is told from the email even where the email is not known', async () => {
  const known = REPLY_STYLES.filter(({ name }) => !/no introduction|name alone|one line|nothing between|phone/.test(name));
  for (const style of known)
    for (const footer of FOOTERS) {
      const { verdict, ownText } = await readAnswer(style, ANSWERS[0] as string, footer, null);
      expect({ verdict, style: style.name, footer, ownText }).toMatchObject({ verdict: 'reply' });
    }
});
