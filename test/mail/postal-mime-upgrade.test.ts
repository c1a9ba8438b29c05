import PostalMime from 'postal-mime';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseMime } from '../../src/mail/classify/mime-parser.ts';

const LONG = 'Zeile für Zeile '.repeat(20_000);
const part = (encoding: string, body: string) =>
  ['--b', 'Content-Type: text/plain; charset=utf-8; name=a.txt', 'Content-Disposition: attachment', encoding, '', body].join('\r\n');
const PARTS = [
  part('Content-Transfer-Encoding: 8bit', 'one\r\n\r\nzwei für drei\r\n'),
  part('Content-Transfer-Encoding: quoted-printable', `zwei f=C3=BCr=\r\n drei\r\n${LONG.replaceAll('ü', '=C3=BC')}`),
  part('Content-Transfer-Encoding: base64', `${Buffer.from('eins').toString('base64')}\r\n${Buffer.from(LONG).toString('base64')}`),
  part('X-Nothing: 1', ''),
];
const HEADER = ['From: Ada <ada@recipient.example>', 'Subject: Hello', 'Date: Tue, 7 Jul 2026 12:00:00 +0000'];
const BODIES = [
  '--b\r\nContent-Type: text/plain\r\n\r\ntext\r\nof two lines',
  '--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+aHRtbDwvYj4=',
];
const message = (parts: readonly string[]) =>
  [...HEADER, 'Content-Type: multipart/mixed; boundary=b', '', ...BODIES, ...parts, '--b--', ''].join('\r\n');
const MESSAGE = Buffer.from(message(PARTS));

afterEach(() => vi.unstubAllGlobals());

describe('an upgrade of postal-mime makes reading messages slower or wrong unless', () => {
  it('its parts are decoded as it decodes them itself', async () => {
    const { headers, text, html, attachments } = await PostalMime.parse(MESSAGE);
    expect(await parseMime(MESSAGE, {})).toEqual({ headers, text, html, attachments });
    expect(attachments.map(({ content }) => (content as ArrayBuffer).byteLength > 300_000)).toEqual([false, true, true, false]);
  });

  it.each(['\n', '\r\n', '\r\r\n', '\r'])('it ends lines as we do: %j', async (end) => {
    for (const last of ['', 'a', 'a\r', '--b', '--b--', '-', end]) {
      const raw = Buffer.from(`${message(PARTS.slice(0, 1)).replaceAll('\r\n', end)}${last}`);
      const { headers, text, html, attachments } = await PostalMime.parse(raw);
      expect(await parseMime(raw, {})).toEqual({ headers, ...(text && { text }), ...(html && { html }), attachments });
    }
  });

  it('it makes no Blob of a part', async () => {
    const made = vi.fn(Blob);
    vi.stubGlobal('Blob', made);
    await parseMime(MESSAGE, {});
    expect(made).not.toHaveBeenCalled();
    await PostalMime.parse(MESSAGE);
    expect(made).toHaveBeenCalled();
  });

  it('it throws where a message exceeds a limit', async () => {
    await expect(parseMime(MESSAGE, { maxHeadersSize: 10 })).rejects.toThrow('Maximum header size of 10 bytes exceeded');
  });

  it('a message without a body has none', async () => {
    expect(await parseMime(Buffer.from('Subject: Hello\r\n\r\n'), {})).toEqual({
      headers: [{ key: 'subject', originalKey: 'Subject', value: 'Hello' }],
      attachments: [],
    });
  });
});
