import { expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';

const picture = `${'R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs'.repeat(2).slice(0, 76)}\r\n`;
const raw = (lines: number) =>
  Buffer.from(
    'From: ada@corp.example\r\nSubject: Re: Hello\r\nIn-Reply-To: <abc@example.com>\r\nMIME-Version: 1.0\r\n' +
      'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      `${picture.repeat(lines)}\r\n--b\r\nContent-Type: text/plain\r\n\r\nPlease unsubscribe me.\r\n--b--\r\n`,
  );

it.each([10, 40_000, 250_000])('a removal request behind %s lines of a picture is read', async (lines) => {
  const { message, result } = await classifyRaw(raw(lines));
  expect(result).toMatchObject({ verdict: 'unsubscribe_request', ownText: 'Please unsubscribe me.' });
  expect(message.files).toMatchObject([{ name: 'a.png' }]);
});
