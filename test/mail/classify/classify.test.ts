import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyRaw, returnDate, splitQuote, threadSubject, type Verdict } from '../../../src/mail/classify/index.ts';
import { bounce, message } from '../../support/inbound-mail.ts';

const classify = async (raw: string) => (await classifyRaw(Buffer.from(raw))).result;
const UTF8 = { 'Content-Type': 'text/plain; charset=utf-8' };
const answer = (body: string, headers: Record<string, string> = {}) =>
  message({ From: 'Ada <ada@recipient.example>', Subject: 'Re: Hello', 'In-Reply-To': '<a@example.com>', ...UTF8, ...headers }, body);
const verdictOf = async (body: string, headers: Record<string, string> = {}) => (await classify(answer(body, headers))).verdict;

const mail = { outboxId: 1, enrolmentId: 1, contactId: 1, campaignId: 1, messageId: '<a@example.com>', recipient: 'ada@recipient.example' };

describe('a delivery status notification (RFC 3464)', () => {
  it('gives recipient, status, verdict and the Message-ID of the returned email', async () => {
    expect(await classify(bounce(mail))).toMatchObject({
      verdict: 'hard_bounce',
      recipient: 'ada@recipient.example',
      status: '5.1.1',
      originalMessageIds: ['<a@example.com>'],
    });
  });

  it.each<[Verdict, Parameters<typeof bounce>[1]]>([
    ['soft_bounce', { status: '5.2.2', diagnostic: '552 5.2.2 Over quota' }],
    ['soft_bounce', { status: '4.4.7', diagnostic: '451 4.4.7 delivery time expired' }],
    ['soft_bounce', { status: '5.7.1', diagnostic: '550 5.7.1 blocked using zen.spamhaus.org' }],
    ['hard_bounce', { status: '5.0.0', diagnostic: '550 Unknown user' }],
    ['hard_bounce', { status: '5.7.1', diagnostic: '550 5.7.1 No such user' }],
    ['hard_bounce', { status: '5.4.4', diagnostic: '550 5.4.4 Host or domain name not found' }],
    ['delay', { action: 'delayed', status: '4.4.1' }],
    ['other', { action: 'delivered', status: '2.0.0' }],
    ['other', { action: 'relayed', status: '2.0.0' }],
    ['other', { action: 'expanded', status: '2.0.0' }],
  ])('%s: %o', async (verdict, options) => expect((await classify(bounce(mail, options))).verdict).toBe(verdict));

  it('about an internationalised address (RFC 6533)', async () => {
    const raw = bounce(mail).replace('message/delivery-status', 'message/global-delivery-status');
    const encoded = raw.replace('rfc822; ada@recipient.example', 'utf-8; j\\x{F6}rg@recipient.example');
    expect(await classify(encoded)).toMatchObject({ verdict: 'hard_bounce', recipient: 'jörg@recipient.example' });
  });

  it('that a person answers or forwards is a reply', async () => {
    expect(await verdictOf('Our mail server says this. What now?', { Subject: 'Re: Undelivered Mail Returned to Sender' })).toBe('reply');
    const forwarded = bounce(mail, {
      headers: { From: 'Ada <ada@recipient.example>', 'Return-Path': '<ada@recipient.example>', Subject: 'Fwd: Undelivered Mail' },
    });
    expect((await classify(forwarded)).verdict).toBe('reply');
  });

  it('a read receipt is nothing', async () => {
    const receipt = message(
      {
        From: 'ada@recipient.example',
        Subject: 'Read: Hello',
        'Content-Type': 'multipart/report; report-type=disposition-notification; boundary=b',
      },
      [
        ...[
          '--b',
          '',
          'Read.',
          '--b',
          'Content-Type: message/disposition-notification',
          '',
          'Final-Recipient: rfc822; ada@recipient.example',
        ],
        ...['Disposition: manual-action/MDN-sent-manually; displayed', '', '--b--'],
      ],
    );
    expect((await classify(receipt)).verdict).toBe('other');
  });
});

describe('a bounce in words', () => {
  const DAEMON = { 'Return-Path': '<>', From: 'MAILER-DAEMON@mx.example', Subject: 'failure notice', ...UTF8 };
  it.each<[Verdict, string, string]>([
    [
      'hard_bounce',
      'qmail',
      "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up.\n\n<ada@recipient.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReceived: from x",
    ],
    [
      'soft_bounce',
      'Yahoo',
      "Message from yahoo.example.\nUnable to deliver message to the following address(es).\n\n<ada@recipient.example>:\nThis user's mailbox is over quota.",
    ],
    [
      'hard_bounce',
      'Domino',
      'Your message\n\n  Subject: Hello\n\nwas not delivered to:\n\n  ada@recipient.example\n\nbecause:\n\n  User ada (ada@recipient.example) not listed in Domino Directory',
    ],
    [
      'hard_bounce',
      'Courier',
      'This is a delivery status notification from mx.example.\n\n  UNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:\n\n<ada@recipient.example>:\n    mx.recipient.example [192.0.2.1]:\n>>> RCPT TO:<ada@recipient.example>\n<<< 550 User unknown.',
    ],
    ['hard_bounce', '163', '抱歉，您的邮件被退回来了……\n收件人邮件地址：ada@recipient.example\n退信原因：收件人地址不存在'],
    [
      'hard_bounce',
      'mail.ru',
      'Это письмо создано автоматически.\nК сожалению, Ваше письмо не может быть доставлено:\n\nada@recipient.example\n\nпользователь не найден',
    ],
    [
      'hard_bounce',
      'a German hoster',
      'Ihre Nachricht konnte nicht zugestellt werden.\n\nEmpfänger: ada@recipient.example\nGrund: Postfach existiert nicht',
    ],
    [
      'hard_bounce',
      'a French hoster',
      "Votre message n'a pas pu être remis.\n\nDestinataire : ada@recipient.example\nRaison : utilisateur inconnu",
    ],
    [
      'delay',
      'Exim, which goes on trying',
      'This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\nThe address to which the message has not yet been delivered is:\n\n  ada@recipient.example\n\nNo action is required on your part. Delivery attempts will continue.',
    ],
  ])('%s: %s', async (verdict, _, body) => {
    expect(await classify(message(DAEMON, body))).toMatchObject({ verdict, recipient: 'ada@recipient.example' });
  });

  it('phishing that poses as a mail server is none', async () => {
    const body =
      'The delivery of your messages was stopped. You have 3 pending messages that could not be delivered. Click here to release them.';
    expect(
      (
        await classify(
          message({ From: 'Mail Administrator <postmaster@phish.example>', Subject: 'Undeliverable: Outgoing mail failed' }, body),
        )
      ).verdict,
    ).not.toMatch(/bounce/);
  });
});

describe('an automatic reply', () => {
  it.each([
    [{ 'Auto-Submitted': 'auto-replied' }],
    [{ 'Auto-Submitted': 'auto-replied (vacation)' }],
    [{ 'Auto-Submitted': 'Auto-Replied; owner-email="a@b"' }],
    [{ 'X-Autoreply': 'yes' }],
    [{ 'X-Autorespond': 'Hello' }],
    [{ Precedence: 'auto_reply' }],
    [{ 'Delivered-To': 'Autoresponder' }],
  ])('by its header: %o', async (headers) => expect(await verdictOf('Thanks for your mail.', headers)).toBe('auto_reply'));

  it.each([
    [{ 'Auto-Submitted': 'no' }],
    [{ 'X-Auto-Response-Suppress': 'DR, RN, NRN, OOF, AutoReply' }],
    [{ Precedence: 'bulk' }],
    [{ Precedence: 'junk' }],
    [{ 'X-Autoreply': '' }],
  ])('not by %o, which people have too', async (headers) => expect(await verdictOf('Yes, let us talk.', headers)).toBe('reply'));

  it.each([
    'Automatic reply: Hello',
    'Autoreply: Hello',
    'Out of Office: Hello',
    'Out of office',
    'OOO: Hello',
    'AUTO: Ada is out of the office (returning 05/01/2027)',
    'Ada Lovelace/LON is out of the office.',
    'Automatische Antwort: Hallo',
    'Abwesenheitsnotiz: Hallo',
    'Réponse automatique : Bonjour',
    'Absence du bureau',
    'Respuesta automática: Hola',
    'Fuera de la oficina',
    'Resposta automática: Olá',
    'Risposta automatica: Ciao',
    'Automatisch antwoord: Hallo',
    'Autosvar: Hej',
    'Automaattinen vastaus: Hei',
    '[Automatyczna odpowiedź] Cześć',
    'Odpowiedź automatyczna: Cześć',
    'Automatická odpověď: Ahoj',
    'Automatikus válasz: Szia',
    'Otomatik Yanıt: Merhaba',
    'Автоматический ответ: Привет',
    'Автоответ',
    '自動返信：お問い合わせ',
    '自动回复：你好',
    '자동 회신: 안녕',
    'מענה אוטומטי: שלום',
    'رد تلقائي: مرحبا',
  ])('by its subject: %s', async (subject) => expect(await verdictOf('.', { Subject: subject, 'In-Reply-To': '' })).toBe('auto_reply'));

  it.each([
    'Re: Ada is out of the office',
    'Re: your out of office',
    'Automatic transmission, automatic brakes',
    'Absolutely',
    'Office space',
  ])('not by %s', async (subject) => expect(await verdictOf('Yes, let us talk.', { Subject: subject })).toBe('reply'));

  it('a person who mentions an absence in the thread still replies', async () => {
    expect(await verdictOf('I am out of the office next week, but yes: send me an offer please.\n\n> Are you interested?')).toBe('reply');
  });
});

describe('the day of return', () => {
  const SENT = new Date('2026-12-18T10:00:00Z');
  it.each<[string, string | null]>([
    ['I am out of the office until 5 January 2027.', '2027-01-05'],
    ['I will be back on Monday, January 11th.', '2027-01-11'],
    ['Ich bin bis einschließlich 15.01. nicht im Büro. Ab dem 18.01. bin ich wieder erreichbar.', '2027-01-18'],
    ['am 4. Januar 2027 bin ich wieder da', '2027-01-04'],
    ['Je suis absent du 20 décembre au 3 janvier 2027 inclus.', '2027-01-04'],
    ['Je serai de retour le lundi 4 janvier', '2027-01-04'],
    ['Estaré fuera de la oficina hasta el 7 de enero.', '2027-01-07'],
    ['Estou de férias até 12/01/2027', '2027-01-12'],
    ['Sono in ferie fino al 10 gennaio', '2027-01-10'],
    ['Ik ben afwezig tot en met 4 januari', '2027-01-05'],
    ['Jag är på semester till och med den 8 januari', '2027-01-09'],
    ['Przebywam na urlopie do 31.12.2026', '2026-12-31'],
    ['Jsem mimo kancelář do 5. ledna', '2027-01-05'],
    ['Olen lomalla 4.1.2027 asti', '2027-01-04'],
    ['Я в отпуске до 9 января', '2027-01-09'],
    ['12月29日から1月4日まで休暇をいただきます', '2027-01-04'],
    ['我将于2027年1月3日返回办公室', '2027-01-03'],
    ['휴가 중입니다. 1월 5일까지', '2027-01-05'],
    ['I am away from 12/20/2026 to 1/5/2027.', '2027-01-05'],
    ['Thanks, I am on leave 21/12 - 02/01', '2027-01-02'],
    ['I will return tomorrow', '2026-12-19'],
    ['Back Monday!', '2026-12-21'],
    ['For urgent matters call 555-1234 before 3 February. I am back on 2027-01-04.', '2027-01-04'],
    ['I am currently out of the office with no access to email.', null],
    ['Office hours 9-17. Meeting on 5 January.', null],
    ['I was away until 3 December 2026', null],
  ])('%s', (text, day) => expect(returnDate(text, SENT)).toBe(day));

  it('is looked for in subject and text', async () => {
    const result = await classify(
      answer('I am away.', { Subject: 'AUTO: Ada is out of the office (returning 20/07/2026)', 'In-Reply-To': '' }),
    );
    expect(result).toMatchObject({ verdict: 'auto_reply', until: '2026-07-20' });
  });
});

describe('a request to be removed', () => {
  it.each([
    'Unsubscribe',
    'unsubscribe please',
    'UNSUBSCRIBE!',
    'STOP',
    'opt out',
    'Remove me',
    'No more emails please',
    'Please remove me from your list.',
    'Take me off your mailing list, thanks.',
    'Hi,\n\nplease do not contact me again.\n\nBest,\nJohn',
    'Not interested. Please stop sending me emails.',
    'Kindly remove our company from your database.',
    'I would like to opt out of further emails.',
    'I no longer wish to receive these emails.',
    'Unsubscribe\n\nSent from my iPhone',
    'Wrong person. Please remove me.',
    "Don't email me again",
    'Bitte nehmen Sie mich aus Ihrem Verteiler.',
    'Abmelden',
    'Bitte keine weiteren E-Mails mehr.',
    'Bitte löschen Sie meine Daten aus Ihrer Datenbank.',
    'Merci de me désinscrire de votre liste.',
    'Désabonnement',
    'Je ne souhaite plus recevoir vos mails.',
    'Por favor, denme de baja de su lista.',
    'Baja',
    'No me envíen más correos.',
    'Não quero mais receber e-mails.',
    'Por favor remova meu e-mail da sua lista.',
    'Cancellatemi dalla lista.',
    'Non desidero più ricevere le vostre email.',
    'Graag uitschrijven',
    'Verwijder mij uit uw bestand.',
    'Vänligen ta bort mig från listan',
    'Fjern mig fra listen',
    'Proszę usunąć mój adres z bazy.',
    'Prosím odhlaste mě',
    'Удалите меня из рассылки.',
    'Не пишите мне больше',
    'Lütfen beni listeden çıkarın',
    '退订',
    '请不要再给我发邮件',
    '配信停止してください',
    '수신거부',
    'הסר',
  ])('%s', async (body) => expect(await verdictOf(body)).toBe('unsubscribe_request'));

  it.each([
    'Yes, I am interested. Can you stop by on Monday?',
    'We would like to remove the old roof first. Can you send an offer?',
    'Stop by our office next week!',
    'Please remove the second item from the quote.',
    'I have deleted your attachment, can you send it again?',
    'We want to stop losing money, so yes, let us talk.',
    'Bitte senden Sie mir keine PDF sondern ein Angebot in Word.',
    'Das ist interessant, bitte nehmen Sie mich in den Verteiler auf.',
    'Wir möchten unsere alten Heizungen entfernen lassen.',
    'Peux-tu me retirer un exemplaire ?',
    'No me interesa el producto A, pero sí el B.',
    'Não recebi o anexo, pode reenviar?',
    'Non ho ricevuto il documento.',
    'Can we eliminate errors from the mailing database with your tool?',
    'Please take us off your hold queue and ship the order',
    'I need to unsubscribe from Salesforce before switching, what is your price?',
    'Thanks!\n\n> To unsubscribe, reply with unsubscribe',
    'Yes.\n\nOn Mon, 6 Jul 2026, Zoe <zoe@example.com> wrote:\n> unsubscribe',
    'Sounds good.\n\n--\nAda\nTo unsubscribe from our newsletter click here',
  ])('not: %s', async (body) => expect(await verdictOf(body)).toBe('reply'));
});

describe('subjects of one thread', () => {
  it.each([
    'Your roof',
    'Re: Your roof',
    'AW: Re: Your roof',
    'RE: [EXTERNAL] Your  roof',
    'Re[2]: your roof',
    '回复：Your roof',
    '[list] Antw: Your roof',
    'SV: VS: Your roof',
  ])('%s', (subject) => expect(threadSubject(subject)).toBe('your roof'));
});

const GOLD = join(import.meta.dirname, '../../../../shared/corpus/reply-text-extraction/email_reply_trimmer');
describe.skipIf(!existsSync(GOLD))("a person's own words", () => {
  it('as the public collection has them: 90 %', () => {
    const words = (text: string) =>
      text
        .split('\n')
        .filter((line) => !/^\s*>/.test(line))
        .join(' ')
        .replaceAll(/[-_*=~#+ᐧ—\s]+/g, ' ')
        .trim();
    const files = readdirSync(join(GOLD, 'emails'));
    const wrong = files.filter((file) => {
      const trimmed = join(GOLD, 'trimmed', file);
      return (
        words(splitQuote({ text: readFileSync(join(GOLD, 'emails', file), 'utf8').replaceAll('\r\n', '\n'), quoteAt: null }).own) !==
        words(existsSync(trimmed) ? readFileSync(trimmed, 'utf8') : '')
      );
    });
    console.log(`${files.length - wrong.length} of ${files.length}; not: ${wrong.join(', ')}`);
    expect(wrong.length / files.length).toBeLessThanOrEqual(0.1);
  });

  it('of HTML, by the structure of email clients', async () => {
    const folder = join(GOLD, '../talon-html');
    const header = 'From: a@b.example\r\nSubject: Re: Hello\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n';
    for (const file of readdirSync(folder)) {
      const { result } = await classifyRaw(Buffer.concat([Buffer.from(header), readFileSync(join(folder, file))]));
      expect(result.ownText.split(/\s+/).join(' '), file).toBe('Hi. I am fine. Thanks, Alex');
    }
  });
});
