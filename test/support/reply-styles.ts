/** The ways in which email clients put an answer above the email that it answers: 60 styles, and 10 common footers of that email. */

/** The format of an email client's answers. `body` gets the answer and the lines of the email below it. */
export interface ReplyStyle {
  name: string;
  type: 'text/plain' | 'text/html';
  body: (answer: string, email: readonly string[]) => string;
}

export const SENDER = 'zoe@example.com';
export const RECIPIENT = 'ada@corp.example';
export const SUBJECT = 'A question about your roof';

const FROM = `Zoe Sender <${SENDER}>`;
const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const marked = (lines: readonly string[]) => lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escaped(line)}</p>`).join('\n');

/** Plain text: the answer, a blank line, what introduces the email, and the email. */
const plain = (name: string, introduction: string, isMarked = false): ReplyStyle => ({
  name,
  type: 'text/plain',
  body: (answer, email) => `${answer}\n\n${introduction}\n\n${isMarked ? marked(email) : email.join('\n')}`,
});
const html = (name: string, above: string, before: string, after = ''): ReplyStyle => ({
  name,
  type: 'text/html',
  body: (answer, email) => `<html><body><div>${escaped(answer)}</div>${above}${before}${paragraphs(email)}${after}</body></html>`,
});
const header = (from: string, sent: string, to: string, subject: string) =>
  `${from}: ${FROM}\n${sent}: 30. 11. 2026 09:00\n${to}: Ada <${RECIPIENT}>\n${subject}: ${SUBJECT}`;

/** "From", "Sent", "To" and "Subject" of Outlook's copied header, by language. */
const OUTLOOK: Record<string, [string, string, string, string]> = {
  ar: ['من', 'تاريخ الإرسال', 'إلى', 'الموضوع'],
  bg: ['От', 'Изпратено', 'До', 'Относно'],
  cs: ['Od', 'Odesláno', 'Komu', 'Předmět'],
  da: ['Fra', 'Sendt', 'Til', 'Emne'],
  de: ['Von', 'Gesendet', 'An', 'Betreff'],
  el: ['Από', 'Στάλθηκε', 'Προς', 'Θέμα'],
  en: ['From', 'Sent', 'To', 'Subject'],
  es: ['De', 'Enviado el', 'Para', 'Asunto'],
  et: ['Saatja', 'Saadetud', 'Adressaat', 'Teema'],
  fi: ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
  fr: ['De ', 'Envoyé ', 'À ', 'Objet '],
  he: ['מאת', 'נשלח', 'אל', 'נושא'],
  hr: ['Od', 'Poslano', 'Prima', 'Predmet'],
  hu: ['Feladó', 'Elküldve', 'Címzett', 'Tárgy'],
  it: ['Da', 'Inviato', 'A', 'Oggetto'],
  ja: ['差出人', '送信日時', '宛先', '件名'],
  ko: ['보낸 사람', '보낸 날짜', '받는 사람', '제목'],
  nl: ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
  pl: ['Od', 'Wysłano', 'Do', 'Temat'],
  ro: ['De la', 'Trimis', 'Către', 'Subiect'],
  ru: ['От', 'Отправлено', 'Кому', 'Тема'],
  sk: ['Od', 'Odoslané', 'Komu', 'Predmet'],
  tr: ['Gönderen', 'Gönderildi', 'Kime', 'Konu'],
  zh: ['发件人', '发送时间', '收件人', '主题'],
};

const NAMED: [string, string][] = [
  ['Gmail', `On Mon, Nov 30, 2026 at 9:00 AM ${FROM} wrote:`],
  ['Gmail in German', `Am Mo., 30. Nov. 2026 um 09:00 Uhr schrieb ${FROM}:`],
  ['Gmail in Japanese', `2026年11月30日(月) 9:00 ${FROM}:`],
  ['Gmail in Hebrew', `בתאריך יום ב׳, 30 בנוב׳ 2026 ב-9:00 מאת ${FROM}:`],
  ['Gmail in Hungarian', `Zoe Sender <${SENDER}> ezt írta (időpont: 2026. nov. 30., H, 9:00):`],
  ['Gmail in Latvian', `pirmd., 2026. g. 30. nov., plkst. 9:00 — lietotājs Zoe Sender (<${SENDER}>) rakstīja:`],
  ['Mail.ru', `Понедельник, 30 ноября 2026, 9:00 +03:00 от ${FROM}:`],
  ['Yandex', `30.11.2026, 09:00, "Zoe Sender" <${SENDER}>:`],
  ['"On … sent:"', `On Mon, Nov 30, 2026 at 9:00 AM ${FROM} sent:`],
  ['Zoho', `---- On Mon, 30 Nov 2026 09:00:00 +0100 ${FROM} wrote ----`],
  ['a caption in no language', `-----Antwort Nachricht-----\nVon: ${FROM}\nAn: ${RECIPIENT}\nDatum: 30.11.2026 09:00\nBetreff: ${SUBJECT}`],
  ['Lotus Notes', `From:\t${FROM}\nTo:\tAda <${RECIPIENT}>\nDate:\t30.11.2026 09:00\nSubject:\t${SUBJECT}`],
  ['Lotus Notes in a sentence', `${FROM} wrote on 30.11.2026 09:00:00:`],
  ['Hotmail', `Date: Mon, 30 Nov 2026 09:00:00 +0100\nSubject: ${SUBJECT}\nFrom: ${SENDER}\nTo: ${RECIPIENT}`],
  ['GMX', `Gesendet: Montag, 30. November 2026 um 09:00 Uhr\nVon: "Zoe Sender" <${SENDER}>\nAn: ${RECIPIENT}\nBetreff: ${SUBJECT}`],
  ['a name alone', 'Zoe Sender:'],
];

export const REPLY_STYLES: readonly ReplyStyle[] = [
  ...Object.entries(OUTLOOK).map(([language, labels]) => plain(`Outlook's header (${language})`, header(...labels))),
  plain('Outlook with a line', `________________________________\n${header('Feladó', 'Elküldve', 'Címzett', 'Tárgy')}`),
  ...NAMED.map(([name, introduction]) => plain(name, introduction)),
  ...NAMED.slice(0, 6).map(([name, introduction]) => plain(`${name}, marked`, introduction, true)),
  plain('no introduction', ''),
  plain('a signature above', `--\nAda\nCorp Ltd\n\n${header('Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe')}`),
  {
    name: 'all in one line',
    type: 'text/plain',
    body: (answer, email) => `${answer} ${FROM} wrote on 30.11.2026 09:00: ${email.join(' ')}`,
  },
  {
    name: 'below the email',
    type: 'text/plain',
    body: (answer, email) => `On Mon, Nov 30, 2026 at 9:00 AM ${FROM} wrote:\n\n${marked(email)}\n\n${answer}`,
  },
  html(
    'Outlook on the web',
    '<div id="appendonsend"></div><hr>',
    `<div id="divRplyFwdMsg"><b>Frá:</b> Zoe<br><b>Sent:</b> 30.11.<br></div>`,
  ),
  html(
    'Outlook for Windows',
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">',
    '<p><b>Saatja:</b> Zoe<br><b>Saadetud:</b> 30.11.<br><b>Teema:</b> Roof</p></div>',
  ),
  html('Gmail, no blockquote', '<div class="gmail_quote">', '<div class="gmail_attr">Zoe rašė:<br></div>', '</div>'),
  html('Apple Mail', '<br><blockquote type="cite">', '<div>Zoe napisao je:</div>', '</blockquote>'),
  html('Thunderbird', '<div class="moz-cite-prefix">Zoe je napisala:</div>', '<blockquote type="cite">', '</blockquote>'),
  html('Yahoo', '<div class="yahoo_quoted">', '<div>Zoe, 30.11.</div>', '</div>'),
  html('Zimbra', '<hr data-marker="__DIVIDER__"><div data-marker="__QUOTED_TEXT__">', '<b>De: </b>Zoe<br>', '</div>'),
  html('web.de', '<div name="quote" style="margin:10px">', '<b>Zoe:</b>', '</div>'),
  html('Hotmail as HTML', '<hr id="stopSpelling">', 'Date: Mon, 30 Nov 2026<br>From: Zoe<br>'),
  html('a table of a phone', '<br><br>', '<div>-------- Pôvodná správa --------</div>'),
  html('nothing between', '<br>', ''),
];

/** Footers of cold emails, each of which is a request to be removed if the contact is taken for its author. */
export const FOOTERS: readonly (readonly string[])[] = [
  ['If you no longer wish to receive these emails, reply with "unsubscribe".'],
  ['Please remove me from your list: just send me these words and you will not hear from me again.'],
  ['P.S. If you want me to stop emailing you, just let me know.'],
  ['Unsubscribe: https://go.example.com/u/abcdef'],
  ['Wenn Sie keine E-Mails mehr erhalten möchten, antworten Sie bitte mit "Abmelden".'],
  ['Si vous ne souhaitez plus recevoir mes messages, répondez STOP.'],
  ['Si no desea recibir más correos, responda BAJA y le daré de baja de la lista.'],
  ['Not interested? Reply "remove me" and I will take you off my list.', '', 'Sender Ltd, 1 High Street, London'],
  ['You can opt out at any time: reply STOP.', 'No more emails? Tell me.'],
  ['Se non desidera ricevere altre email, risponda CANCELLAMI.', 'Unsubscribe'],
];

/** The email that is answered, line by line, with a footer. */
export const emailWith = (footer: readonly string[]): string[] => [
  'Hi Ada,',
  '',
  'I saw that Corp has moved into a new building. Would you have ten minutes for a call about its roof?',
  '',
  'Best regards',
  'Zoe',
  '',
  ...footer,
];
