import PostalMime, { type Attachment } from 'postal-mime';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
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

/** With its content as a text: postal-mime has an ArrayBuffer where we have a Buffer. */
const withBytes = (attachment: Attachment) => ({
  ...attachment,
  content: Buffer.from(attachment.content as ArrayBuffer).toString('latin1'),
});
const parsed = async (raw: Uint8Array) => {
  const { attachments, ...rest } = await parseMime(raw, {});
  return { ...rest, attachments: attachments.map(withBytes) };
};

afterEach(() => vi.unstubAllGlobals());

describe('an upgrade of postal-mime makes reading messages slower or wrong unless', () => {
  it('its parts are decoded as it decodes them itself', async () => {
    const { headers, text, html, attachments } = await PostalMime.parse(MESSAGE);
    expect(await parsed(MESSAGE)).toEqual({ headers, text, html, attachments: attachments.map(withBytes) });
    expect(attachments.map(({ content }) => (content as ArrayBuffer).byteLength > 300_000)).toEqual([false, true, true, false]);
  });

  it.each(['\n', '\r\n', '\r\r\n', '\r'])('it ends lines as we do: %j', async (end) => {
    for (const last of ['', 'a', 'a\r', '--b', '--b--', '-', end]) {
      const raw = Buffer.from(`${message(PARTS.slice(0, 1)).replaceAll('\r\n', end)}${last}`);
      const { headers, text, html, attachments } = await PostalMime.parse(raw);
      expect(await parsed(raw)).toEqual({ headers, text, html, attachments: attachments.map(withBytes) });
    }
  });

  it('it decodes quoted-printable as we do', async () => {
    const random = seededRandom(20_261_123);
    const pieces = ['=', '=', '3D', '0a', 'Ff', '=C3=BC', '=\r\n', '\r\n', '\r', ' ', 'g', '4', '\xe9', '\0', '--', 'a line of text'];
    for (let run = 0; run < 2_000; run++) {
      const body = Array.from({ length: random.integer(0, 20) }, () => pieces[random.integer(0, pieces.length - 1)]).join('');
      const raw = Buffer.from(message([part('Content-Transfer-Encoding: (or so) Quoted-Printable', body)]), 'latin1');
      const { attachments } = await PostalMime.parse(raw);
      expect((await parsed(raw)).attachments, JSON.stringify(body)).toEqual(attachments.map(withBytes));
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
