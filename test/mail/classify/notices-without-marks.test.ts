import { describe, expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

/** Absences, receipts and challenges without any header field that marks them, and messages from people with the same words. */

async function classify(text: string, headers: Record<string, string> = {}) {
  const all = { From: 'Ada Lovelace <ada@corp.example>', Subject: 'Re: Hello', 'In-Reply-To': '<abc@example.com>', ...headers };
  const fields = Object.fromEntries(
    Object.entries({ 'Content-Type': 'text/plain; charset=utf-8', ...all }).filter(([, value]) => value !== ''),
  );
  return (await classifyRaw(Buffer.from(message(fields, text.split('\n'))))).result;
}

describe('"a short text that is nothing but an absence sentence and a date, no question, is an automatic reply whatever the subject"', () => {
  // biome-ignore format: a line each
  it.each([
    'I am on vacation until 14 December.',
    'I am currently out of the office and will be back on Monday.',
    'Ich bin bis zum 14.12. im Urlaub.',
    'Ich bin derzeit nicht im Büro und am Montag wieder erreichbar.',
    'Je suis en congés jusqu’au 14 décembre.',
    'Estoy de vacaciones hasta el 14 de diciembre.',
    'Sono in ferie fino al 14 dicembre.',
    'Estou de férias até 14 de dezembro.',
    'Ik ben met vakantie tot 14 december.',
    'Jag är på semester till den 14 december.',
    'Jeg er på ferie til 14. december.',
    'Jeg er på ferie til 14. desember.',
    'Olen lomalla 14.12. asti.',
    'Jestem na urlopie do 14 grudnia.',
    'Jsem na dovolené do 14. prosince.',
    'Som na dovolenke do 14. decembra.',
    'December 14-ig szabadságon vagyok.',
    'Sunt în concediu până pe 14 decembrie.',
    'В отпуск съм до 14 декември.',
    'Na godišnjem sam odmoru do 14. prosinca.',
    'Na dopustu sem do 14. decembra.',
    'Είμαι σε άδεια μέχρι τις 14 Δεκεμβρίου.',
    '14 Aralık tarihine kadar izindeyim.',
    'Я в отпуске до 14 декабря.',
    'Я у відпустці до 14 грудня.',
    'Olen puhkusel kuni 14. detsembrini.',
    'Esmu atvaļinājumā līdz 14. decembrim.',
    'Atostogauju iki gruodžio 14 d.',
    'אני בחופשה עד 14 בדצמבר.',
    'أنا في إجازة حتى 14 ديسمبر.',
    '12月14日まで休暇をいただいております。',
    '12월 14일까지 휴가 중입니다.',
    '我正在休假，12月14日返回。',
    'Hi,\n\nthanks for your message. I am travelling until Thursday with limited access to email.\n\nBest,\nAda',
    'Guten Tag,\n\nich bin heute nicht im Haus. Morgen bin ich wieder erreichbar.\n\nMit freundlichen Grüßen\nAda',
    'I am on parental leave and not reading email. Please write to bob@corp.example.',
    'Ich bin aktuell in Elternzeit und lese keine E-Mails. Bitte wenden Sie sich an meine Vertretung Frau Muster.',
  ])('%s', async (text) => expect((await classify(text)).verdict).toBe('auto_reply'));
});

describe('a receipt counts whatever the subject', () => {
  // biome-ignore format: a line each
  it.each([
    'We have received your email and created ticket 483912. One of our agents will get back to you.',
    'Vielen Dank für Ihre Nachricht. Wir werden uns schnellstmöglich bei Ihnen melden.',
    'Vielen Dank für Ihre Nachricht. Wir werden uns schnellstmöglich bei Ihnen melden.\n\nIhr Team von Corp',
    '##- Please type your reply above this line -##\n\nYour request (12345) has been received and is being reviewed by our support staff.\n\nTo add additional comments, reply to this email.',
    'Dear customer,\n\nA request for support has been created and assigned #9876. A representative will follow-up with you as soon as possible.',
    'Wij hebben uw bericht in goede orde ontvangen. U krijgt binnen twee werkdagen antwoord.',
    'Grazie per averci contattato. Abbiamo ricevuto la sua richiesta e le risponderemo al più presto.',
    'Tack för ditt mejl! Vi har tagit emot ditt ärende och återkommer inom 24 timmar.',
    'Děkujeme za Vaši zprávu. Váš požadavek byl zaevidován pod číslem 4711 a budeme Vás kontaktovat.',
    'Köszönjük megkeresését! Üzenetét megkaptuk, munkatársunk hamarosan válaszol.',
    'Спасибо за обращение! Ваша заявка принята, ей присвоен номер 4711.',
    'Hi there,\n\nThanks for reaching out! Due to a high volume of emails, I only check my inbox twice a day at 11am and 4pm.',
    'Nous avons bien reçu votre message et vous répondrons dans les plus brefs délais.',
    'Hemos recibido su mensaje. Le responderemos lo antes posible.',
    'Recebemos a sua mensagem e responderemos em breve.',
    'Dziękujemy za wiadomość. Odpowiemy najszybciej jak to możliwe.',
    'Tak for din henvendelse. Vi har modtaget din besked og vender tilbage hurtigst muligt.',
    'Takk for din henvendelse. Vi har mottatt din melding og svarer deg så snart som mulig.',
    'Kiitos viestistäsi. Olemme vastaanottaneet viestisi ja vastaamme mahdollisimman pian.',
    'Ďakujeme za Vašu správu. Vašu požiadavku sme prijali a čoskoro Vás budeme kontaktovať.',
    'Vă mulțumim pentru mesaj. Am primit solicitarea dumneavoastră și vă vom răspunde în cel mai scurt timp.',
    'Благодарим за съобщението. Получихме вашето запитване и ще се свържем с вас възможно най-скоро.',
    'Hvala na poruci. Vaš upit smo zaprimili i odgovorit ćemo vam u najkraćem mogućem roku.',
    'Σας ευχαριστούμε για το μήνυμά σας. Λάβαμε το αίτημά σας και θα επικοινωνήσουμε μαζί σας σύντομα.',
    'Mesajınız için teşekkür ederiz. Talebiniz alınmıştır, en kısa sürede size dönüş yapacağız.',
    'Дякуємо за звернення. Ваше повідомлення отримано, ми відповімо найближчим часом.',
    'תודה על פנייתך. הודעתך התקבלה ונחזור אליך בהקדם.',
    'شكرا لتواصلكم معنا. لقد استلمنا رسالتكم وسنرد عليكم في أقرب وقت.',
    '您好，我们已收到您的邮件，会尽快回复您。',
    '메일 잘 받았습니다. 담당자가 확인 후 빠른 시일 내에 회신드리겠습니다.',
    'I no longer use this address. Please write to pat.new@other.test instead. This mailbox is not monitored.',
  ])('%s', async (text) => expect((await classify(text)).verdict).toBe('auto_reply'));
});

describe('a person who says more, or asks, is a person', () => {
  // biome-ignore format: a line each
  it.each([
    'I am out of the office today but this looks interesting. Shall we talk on Monday at 3?',
    'I am on holiday until Friday, please call me then. My number is 030 1234.',
    'Thanks. I am out of office next week but let us talk on the 14th.',
    'Sounds interesting. I am on vacation until 14 December, can we talk after that?',
    'Ich bin bis Freitag im Urlaub, rufen Sie mich danach bitte an.',
    'Ich bin diese Woche nicht im Büro, aber schicken Sie mir gern ein Angebot.',
    'Je suis en congés jusqu’à lundi, rappelez-moi mardi.',
    'Estoy fuera hasta el lunes, hablamos el martes.',
    'Sono in ferie fino al 14, sentiamoci dopo.',
    'Ik ben tot vrijdag op vakantie, bel me daarna.',
    'I am out until Monday. Send me the price list and I will look at it then.',
    'Jestem na urlopie do piątku, proszę zadzwonić w poniedziałek.',
    'We received your message yesterday. Yes, send me an offer.',
    'Our office is closed this week. Can you send details?',
    'I am away until Tuesday - happy to talk on Wednesday.',
    'Bin bis Montag weg. Interesse haben wir, melden Sie sich.',
    'I will be back on Monday. Let us talk then!',
    'Not now, I am on leave until March.',
    'No thanks. I am on parental leave and we have no need.',
    'I am on vacation. Not interested.',
    'Olen lomalla perjantaihin, soita maanantaina.',
    'Szabadságon vagyok, hívjon hétfőn.',
    'Я в отпуске, позвоните в понедельник.',
    'Thanks, I received your message. Can you send me the price for 50 seats?',
    'Vielen Dank für Ihre Nachricht. Bitte rufen Sie mich morgen um zehn an.',
    '##- Please type your reply above this line -##\n\nAda, Jul 7, 10:00:\n\nYes, Thursday suits us. Send the offer.',
    'Merci pour votre message. Nous avons déjà un fournisseur, mais envoyez-moi votre brochure.',
    'We have a ticket for that already (#4711). What would your solution cost?',
    'Thank you for your email. We will get back to you after our board meeting on Thursday.',
    'Thank you for your message, I will discuss it with my team and get back to you.',
    'Danke für Ihre Nachricht, ich melde mich nächste Woche bei Ihnen.',
    "Thanks for reaching out! I'm forwarding this to Bob, who will get back to you.",
  ])('%s', async (text) => expect((await classify(text)).verdict).toBe('reply'));
});

describe('a challenge of a filter is no reply of a person', () => {
  // biome-ignore format: a line each
  it.each([
    'Bonjour,\n\nVotre message a bien été reçu mais est en attente. Je protège ma messagerie avec Mailinblack. Cliquez sur le lien: https://app.mailinblack.com/x',
    'Your message about "Hello" was waitlisted.\n\nPlease add yourself to my Guest List so your messages will be delivered to my Inbox. Use the link below.\n\nBoxbe https://www.boxbe.com/x',
    'Hello,\n\nYour message about "Hello" was waitlisted.\n\nPlease add yourself to my Guest List so your messages will be delivered to my Inbox.',
    'I am using SpamArrest to protect my inbox. Please click the link below to verify that you are a person:\nhttps://www.spamarrest.com/a2?AQ',
    'This is a one-time verification. Please confirm that you are human: https://x.example/y',
    'Your email is being held pending. Click the following link to confirm your message: https://x.example/y',
  ])('%s', async (text) => expect((await classify(text)).verdict).toBe('other'));

  // biome-ignore format: a line each
  it.each([
    'Please confirm you are available: https://cal.com/ada/30',
    'Merci de confirmer le rendez-vous en cliquant sur le lien https://calendly.com/x',
    'We use Boxbe and are looking for something else. Call me.',
  ])('%s', async (text) => expect((await classify(text)).verdict).toBe('reply'));
});

it.each([
  ['Question', 'Hi Zoe, our case number is 4711. Can you tell me when it is solved?'],
  ['Meeting', 'I am on vacation next week. Could we meet the week after?'],
  ['Offer', 'We have received your email and would like an offer for 20 seats. When can you deliver?'],
])('"a question addressed to us must outweigh", in a new mail too: %s', async (subject, text) =>
  expect(await classify(text, { Subject: subject, 'In-Reply-To': '' })).toMatchObject({ verdict: 'reply' }));

it('a reply with the footer of a list is a reply; an offer to unsubscribe from others is no newsletter', async () => {
  const footer = '\n\nYahoo! Groups Links\nTo unsubscribe from this group, send an email to: x-unsubscribe@groups.example';
  expect(await classify(`Yes, Thursday is fine.${footer}`, { 'In-Reply-To': '' })).toMatchObject({ verdict: 'reply' });
  const text = "We'd like to unsubscribe from our current provider, so your timing is good!";
  expect(await classify(text, { 'In-Reply-To': '' })).toMatchObject({ verdict: 'reply' });
});

it("Apple Mail's own request to unsubscribe is one, although it is marked as automatic", async () => {
  const text = 'Apple Mail sent this email to unsubscribe from the message “Hello”.';
  expect(await classify(text, { Subject: 'unsubscribe', 'Auto-Submitted': 'auto-replied', 'In-Reply-To': '' })).toMatchObject({
    verdict: 'unsubscribe_request',
  });
});

const tnef = (content: string) => ({ type: 'application/ms-tnef; name="winmail.dat"', text: Buffer.from(content).toString('base64') });
it.each([
  ['Read: Hello', 'IPM.Note'],
  ['Hello', 'REPORT.IPM.Note.IPNRN'],
])('a receipt of reading in the format of Outlook is none: %s, %s', async (subject, content) => {
  const { type, text } = tnef(content);
  expect(await classify(text, { Subject: subject, 'Content-Type': type, 'Content-Transfer-Encoding': 'base64' })).toMatchObject({
    verdict: 'other',
    reasons: ['read receipt'],
  });
});

it('an invitation is one without METHOD in the header of its part', async () => {
  const body = ['--b', 'Content-Type: text/plain', '', 'Join us', '--b', 'Content-Type: application/octet-stream; name="invite.ics"', '']
    .concat(['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'END:VCALENDAR', '--b--'])
    .join('\n');
  expect(await classify(body, { 'Content-Type': 'multipart/mixed; boundary=b', Subject: 'Zoom meeting', 'In-Reply-To': '' })).toMatchObject(
    {
      verdict: 'other',
      reasons: ['calendar'],
    },
  );
});

it('"Our CFO has left the company… I am away until 15 December" is an absence, whatever the subject', async () =>
  expect(await classify('Our CFO has left the company and I am away until 15 December.')).toMatchObject({
    verdict: 'auto_reply',
    hasLeft: false,
    until: expect.stringMatching(/-12-15$/),
  }));

describe('who has left the company', () => {
  const MARKED = { Subject: 'Automatic reply: Hello', 'Auto-Submitted': 'auto-replied' };
  // biome-ignore format: a line each
  it.each([
    [false, 'I have left the office for today and will be back tomorrow.'],
    [false, 'I have left for the day.'],
    [false, 'Our CFO has left the company, so please be patient with answers. I am away until 15 December.'],
    [true, 'I have left Corp. Please contact Bob.'],
    [true, 'I no longer work at Corp.'],
    [true, 'Ada is no longer with the company.'],
    [true, 'Ya no trabajo en Corp.'],
    [true, 'Ik werk niet meer bij Corp.'],
    [true, 'This mailbox is no longer monitored as I retired in June.'],
    [true, 'My last day at Corp was 31 October.'],
    [false, 'My last day before the holidays is 18 December; back on 4 January.'],
    [false, 'I no longer work on Fridays.'],
    [false, 'Ich arbeite freitags nicht mehr.'],
    [true, 'Diese E-Mail-Adresse ist nicht mehr aktiv.'],
    [true, 'This email address is no longer in use.'],
    [false, 'I am on maternity leave and left my projects with Bob.'],
    [true, 'Ich bin nicht mehr für Corp tätig.'],
    [true, 'Non lavoro più in Corp.'],
  ])('%s: %s', async (hasLeft, text) => expect((await classify(text, MARKED)).hasLeft).toBe(hasLeft));
});
