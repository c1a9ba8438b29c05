import { DateTime } from 'luxon';

/** The email as a person sees it when they press "Reply", and the text that they write. */
interface Written {
  /** Their own address and name. */
  from: { address: string; name: string };
  to: { address: string; name: string };
  subject: string;
  messageId: string;
  references: readonly string[];
  /** The body of the email that they reply to, as lines of text. */
  quoted: readonly string[];
  quotedAt: Date;
  words: readonly string[];
}

/** Writes the reply as an email client does: its header fields, its MIME, its quotation and its signature. */
export type EmailClient = (written: Written) => string;

let made = 0;

const html = (lines: readonly string[]) => lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
const encoded = (text: string) =>
  Buffer.from(text)
    .toString('base64')
    .replaceAll(/.{1,76}/g, '$&\r\n');

/** Encodes as quoted-printable, with soft line breaks. @param charset a charset with one byte per character, or UTF-8 */
function quotedPrintable(text: string, charset: 'utf8' | 'latin1' = 'utf8'): string {
  const octets = (character: string) =>
    [...Buffer.from(character, charset)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return text
    .replaceAll(/[^\x20-\x3c\x3e-\x7e\r\n]/gu, octets)
    .replaceAll('=\r\n', '=3D\r\n')
    .replaceAll(/[^\r\n]{70}(?<!=.?)(?=[^\r\n])/g, '$&=\r\n');
}

interface Shape {
  messageId: string;
  date: string;
  headers?: readonly string[];
  /** Type, transfer encoding and content of each alternative. */
  parts: readonly (readonly [type: string, encoding: string, content: string])[];
  boundary: string;
}

function raw({ from, to, subject, messageId, references }: Written, shape: Shape): string {
  const { parts, boundary } = shape;
  const [only] = parts;
  const content =
    parts.length === 1 && only !== undefined
      ? [`Content-Type: ${only[0]}`, `Content-Transfer-Encoding: ${only[1]}`, '', only[2]]
      : [
          `Content-Type: multipart/alternative; boundary="${boundary}"`,
          '',
          ...parts.flatMap(([type, encoding, text]) => [
            `--${boundary}`,
            `Content-Type: ${type}`,
            `Content-Transfer-Encoding: ${encoding}`,
            '',
            text,
          ]),
          `--${boundary}--`,
        ];
  return [
    `From: ${from.name} <${from.address}>`,
    `To: =?UTF-8?B?${Buffer.from(to.name).toString('base64')}?= <${to.address}>`,
    `Subject: ${/^re:/i.test(subject) ? subject : `Re: ${subject}`}`,
    `Message-ID: ${shape.messageId}`,
    `Date: ${shape.date}`,
    `In-Reply-To: ${messageId}`,
    `References: ${[...references, messageId].join('\r\n ')}`,
    'MIME-Version: 1.0',
    ...(shape.headers ?? []),
    ...content,
    '',
  ].join('\r\n');
}

const at = (date: Date, format: string) => DateTime.fromJSDate(date, { zone: 'Europe/Berlin' }).toFormat(format);
const now = (date: Date) => DateTime.fromJSDate(date, { zone: 'Europe/Berlin' }).plus({ minutes: 20 }).toRFC2822() ?? '';
const marked = (lines: readonly string[]) => lines.map((line) => (line === '' ? '>' : `> ${line}`));

/** Gmail in a browser: the introduction broken at 78 characters, `gmail_quote`, a signature under "-- ". */
export const gmail: EmailClient = (written) => {
  const { to, quotedAt, quoted, words, from } = written;
  const when = at(quotedAt, "EEE, MMM d, yyyy 'at' h:mm a");
  const text = [...words, '', '-- ', from.name, 'Analytical Engines Ltd', '', '', `On ${when} ${to.name} <${to.address}>`, 'wrote:', ''];
  const attribution = `On ${when} ${to.name} &lt;<a href="mailto:${to.address}">${to.address}</a>&gt; wrote:<br>`;
  return raw(written, {
    messageId: `<CAF+${++made}k3v=xQ8Zy1@mail.gmail.com>`,
    date: now(quotedAt),
    boundary: `000000000000${made}f2a0630b1c2d3`,
    parts: [
      ['text/plain; charset="UTF-8"', 'quoted-printable', quotedPrintable([...text, ...marked(quoted), ''].join('\r\n'))],
      [
        'text/html; charset="UTF-8"',
        'quoted-printable',
        quotedPrintable(
          `<div dir="ltr">${html(words).join('<br>')}<div><br clear="all"></div><div><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr">${from.name}<div>Analytical Engines Ltd</div></div></div></div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attribution}</div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div>${html(quoted).join('<br>')}</div></blockquote></div>\r\n`,
        ),
      ],
    ],
  });
};

/** Outlook for Windows at an Exchange server: Word's HTML alone, in Windows-1252, and the header of the quoted message copied above it. */
export const outlook: EmailClient = (written) => {
  const { to, from, quotedAt, quoted, words, subject } = written;
  const paragraph = (text: string) => `<p class="MsoNormal"><span lang="EN-GB">${text === '' ? '<o:p>&nbsp;</o:p>' : text}</span></p>\r\n`;
  const label = (name: string, value: string) => `<b>${name}:</b> ${value}`;
  const sent = at(quotedAt, 'cccc, LLLL d, yyyy h:mm a');
  const head = [
    label('From', `${to.name} &lt;${to.address}&gt; `),
    label('Sent', sent),
    label('To', `${from.name} &lt;${from.address}&gt;`),
  ];
  const body = [
    '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">\r\n<head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=Windows-1252">\r\n',
    '<style><!--\r\np.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}\r\n--></style></head>\r\n',
    '<body lang="EN-GB" link="#0563C1" vlink="#954F72">\r\n<div class="WordSection1">\r\n',
    ...html(words).map(paragraph),
    paragraph(''),
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">\r\n<p class="MsoNormal">',
    `${[...head, label('Subject', subject)].join('<br>\r\n')}<o:p></o:p></p></div>\r\n`,
    paragraph(''),
    ...html(quoted).map(paragraph),
    '</div>\r\n</body>\r\n</html>\r\n',
  ].join('');
  return raw(written, {
    messageId: `<DB9PR04MB8412${++made}A7F1@DB9PR04MB8412.eurprd04.prod.outlook.com>`,
    date: now(quotedAt),
    headers: ['Thread-Topic: A question', 'X-MS-Has-Attach:', 'Accept-Language: en-GB, en-US', 'X-Mailer: Microsoft Outlook 16.0'],
    boundary: '_000_unused_',
    parts: [['text/html; charset="Windows-1252"', 'quoted-printable', quotedPrintable(body, 'latin1')]],
  });
};

/** Apple Mail on a Mac: the signature above the quotation, which repeats who wrote and when within its marks. */
export const appleMail: EmailClient = (written) => {
  const { to, from, quotedAt, quoted, words } = written;
  const introduction = `On ${at(quotedAt, "d. MMM yyyy, 'at' HH:mm")}, ${to.name} <${to.address}> wrote:`;
  const text = [...words, '', '--', from.name, '', ...marked([introduction, '', ...quoted]), ''];
  return raw(written, {
    messageId: `<7B3F1C22-9D0E-4C1B-8A11-${String(++made).padStart(12, '0')}@${from.address.split('@')[1]}>`,
    date: now(quotedAt),
    headers: ['X-Mailer: Apple Mail (2.3826.200.121)'],
    boundary: `Apple-Mail=_A1B2C3D4-0000-4000-8000-${made}`,
    parts: [
      ['text/plain;\r\n\tcharset=utf-8', 'quoted-printable', quotedPrintable(text.join('\r\n'))],
      [
        'text/html;\r\n\tcharset=utf-8',
        'quoted-printable',
        quotedPrintable(
          `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${html(words).join('<br>')}<br id="lineBreakAtBeginningOfMessage"><div><br><div>--<br>${from.name}</div></div><div><br><blockquote type="cite"><div>${html([introduction])[0]}</div><br class="Apple-interchange-newline"><div>${html(quoted).join('<br>')}</div></blockquote></div><br></body></html>`,
        ),
      ],
    ],
  });
};

/** Thunderbird in plain text: format=flowed, the answer below the quotation, as it is set up first. */
export const thunderbird: EmailClient = (written) => {
  const { to, from, quotedAt, quoted, words } = written;
  const text = [`On ${at(quotedAt, 'dd.MM.yy HH:mm')}, ${to.name} wrote:`, ...marked(quoted), '', ...words, '', '-- ', from.name, ''];
  return raw(written, {
    messageId: `<3d5c0b7e-12aa-4f0e-b9c1-${String(++made).padStart(12, '0')}@${from.address.split('@')[1]}>`,
    date: now(quotedAt),
    headers: ['User-Agent: Mozilla Thunderbird', 'Content-Language: en-US'],
    boundary: 'unused',
    parts: [['text/plain; charset=UTF-8; format=flowed', '8bit', text.join('\r\n')]],
  });
};

/** Mail on an iPhone: base64, "Sent from my iPhone", and a byte order mark before what it quotes. */
export const iphone: EmailClient = (written) => {
  const { to, quotedAt, quoted, words, from } = written;
  const introduction = `On ${at(quotedAt, "d MMM yyyy, 'at' HH:mm")}, ${to.name} <${to.address}> wrote:`;
  const text = [...words, '', 'Sent from my iPhone', '', ...marked([introduction, '', `\uFEFF${quoted.join('\r\n> ')}`]), ''];
  return raw(written, {
    messageId: `<E0C1A2B3-4455-4D66-9788-${String(++made).padStart(12, '0')}@${from.address.split('@')[1]}>`,
    date: now(quotedAt),
    headers: ['X-Mailer: iPhone Mail (22F76)'],
    boundary: `Apple-Mail-${made}-0000`,
    parts: [
      ['text/plain;\r\n\tcharset=utf-8', 'base64', encoded(text.join('\r\n'))],
      [
        'text/html;\r\n\tcharset=utf-8',
        'base64',
        encoded(
          `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">${html(words).join('<br>')}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">${html([introduction])[0]}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\uFEFF${html(quoted).join('<br>')}</div></blockquote></body></html>`,
        ),
      ],
    ],
  });
};
