import { describe, expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

const A = 'ada@recipient.example';

type Message = [name: string, verdict: string, headers: Record<string, string>, body: string];

/** A subject and a text. */
// biome-ignore format: a line each
const AUTOMATIC: [subject: string, body: string][] = [
  ['Automatic reply: Hello','I am out of the office.'],['Out of Office: Hello','Thanks for your mail. I will be back on Monday.'],['Out of Office AutoReply: Hello','x'],
  ['Réponse automatique : Hello','Bonjour, je suis absent'],['Respuesta automática: Hello','Estoy fuera de la oficina'],['Risposta automatica: Hello','x'],['Automatisches Antwort: Hello','Ich bin nicht da.'],
  ['Abwesenheitsnotiz: Hello','x'],['Automatisch antwoord: Hello','x'],['Resposta automática: Hello','x'],['Automaattinen vastaus: Hello','x'],['Autosvar: Hello','x'],['Automatiskt svar: Hello','x'],['Automatisk svar: Hello','x'],
  ['Odpowiedź automatyczna: Hello','x'],['Automatická odpověď: Hello','x'],['Automatikus válasz: Hello','x'],['Автоответ: Hello','x'],['Автоматический ответ: Hello','x'],['自動応答: Hello','x'],['自动答复: Hello','x'],['自動回覆: Hello','x'],['자동 회신: Hello','x'],['Otomatik Yanıt: Hello','x'],['Αυτόματη απάντηση: Hello','x'],['Räspuns automat: Hello','x'],['Răspuns automat: Hello','x'],['תשובה אוטומטית: Hello','x'],['رد تلقائي: Hello','x'],['Tự động trả lời: Hello','x'],['Trả lời tự động: Hello','x'],['ตอบกลับอัตโนมัติ: Hello','x'],['Автоматична відповідь: Hello','x'],['Automatski odgovor: Hello','x'],['Samodejni odgovor: Hello','x'],['Automatická odpoveď: Hello','x'],['Automatinis atsakymas: Hello','x'],['Automaatne vastus: Hello','x'],['Resposta automàtica: Hello','x'],['Balasan otomatis: Hello','x'],
  ['Re: Hello [auto-reply]','x'],['Auto: Hello','x'],['Hello (Out of office)','x'],['I am on vacation Re: Hello','x'],['AUTO: Ada Lovelace is out of the office (returning 01/05/2027)','I am out of the office until 01/05/2027.'],['Ada Lovelace/LON/ACME is out of the office.','I will be out of the office starting  07/07/2026 and will not return until 20/07/2026.'],['Away from my mail','x'],['Vacation: Re: Hello','I am away'],['Parental leave','x'],['Ich bin bis zum 5. August im Urlaub','x'],['Absence du bureau','x'],['I have left ACME','I no longer work here'],['Ada is no longer with ACME','x'],['Auto Response','x'],['Auto-Response: Hello','x'],['Maternity leave - Re: Hello','x'],['Thank you for contacting us','We have received your message and will get back to you shortly.'],['[Ticket#2024] Hello','Your request has been received and assigned ticket number 2024.'],['Your request (#123) has been received','Our support team will respond soon.'],['Re: Hello','Hi,\n\nI am currently out of the office with limited access to email. For urgent matters contact bob@recipient.example.\n\nAda'],
  ['Re: Hello','Ich bin bis 14.08. nicht im Büro und habe keinen Zugriff auf meine E-Mails. In dringenden Fällen wenden Sie sich an Herrn Bob.'],
  ['Re: Hello','Bonjour,\n\nJe suis en congés jusqu\'au 15 août inclus. En cas d\'urgence, contactez bob.'],
  ['RE: Hello','Hola, estaré fuera de la oficina hasta el 20 de agosto. Para temas urgentes contactar con Bob.'],
  ['Out of office: Hello','x'],['Auto-Reply: Hello','x'],['AutoReply: Re: Hello','x'],['OOO Re: Hello','x'],['Vacation reply','x'],['On annual leave Re: Hello','x'],['Away from my desk','x'],['Maternity leave','x'],
  ['I have left the company','x'],['Thank you for your email','x'],['Auto Response: Hello','x'],['Auto Responder','x'],['Automatische Antwort: Hello','x'],['Abwesend: Hello','x'],['Urlaub Re: Hello','x'],['Abwesenheit: Hello','x'],
  ['Automatische Abwesenheitsnotiz','x'],['Ich bin im Urlaub','x'],['Außer Haus','x'],['Nicht im Büro','x'],['Automatische Rückantwort','x'],['Elternzeit','x'],['Mutterschutz','x'],['Absence du bureau : Hello','x'],
  ['Absent du bureau','x'],['En congé','x'],['Message automatique : absence','x'],['Congés','x'],['Je suis absent','x'],['Absente jusqu\'au 3 août','x'],['Fuera de la oficina: Hello','x'],['Estoy de vacaciones','x'],
  ['Ausencia temporal','x'],['Mensaje automático','x'],['Ausência temporária: Hello','x'],['Estou de férias','x'],['Fora do escritório','x'],['Fuori sede: Hello','x'],['Assenza dall\'ufficio','x'],['Sono in ferie','x'],
  ['Messaggio automatico','x'],['Afwezigheidsassistent: Hello','x'],['Niet op kantoor: Hello','x'],['Ik ben met vakantie','x'],['Frånvarande: Hello','x'],['Fraværende','x'],['Ikke til stede: Hello','x'],['Ikke på kontoret: Hello','x'],
  ['Autosvar fra Ada','x'],['Poissa toimistosta','x'],['Lomalla','x'],['Poissaoloviesti','x'],['Autoodpowiedź: Hello','x'],['Nieobecność w biurze','x'],['Poza biurem: Hello','x'],['Jestem na urlopie','x'],
  ['Mimo kancelář: Hello','x'],['Dovolená','x'],['Mimo kancelárie: Hello','x'],['Házon kívül: Hello','x'],['Szabadságon vagyok','x'],['În concediu','x'],['Absent din birou','x'],['Нет на месте: Hello','x'],
  ['Отпуск','x'],['Вне офиса','x'],['Я в отпуске','x'],['Відсутній на робочому місці','x'],['Автоматичен отговор: Hello','x'],['Аутоматски одговор: Hello','x'],['Автоматски одговор: Hello','x'],['Automaatvastus: Hello','x'],
  ['Automātiskā atbilde: Hello','x'],['Ofis dışında: Hello','x'],['Otomatik yanıt','x'],['Yıllık izindeyim','x'],['Εκτός γραφείου: Hello','x'],['自动回复：Hello','x'],['不在辦公室: Hello','x'],['外出: Hello','x'],
  ['休假中','x'],['自動返信: Hello','x'],['不在通知','x'],['【自動返信】お問い合わせ','x'],['休暇のお知らせ','x'],['부재중: Hello','x'],['휴가 안내','x'],['מחוץ למשרד','x'],
  ['خارج المكتب','x'],['پاسخ خودکار: Hello','x'],['Balas automatik: Hello','x'],['स्वचालित उत्तर: Hello','x'],['Fora de l\'oficina','x'],['Resposta automática','x'],['Erantzun automatikoa: Hello','x'],['Sjálfvirkt svar: Hello','x'],
  ['Freagra uathoibríoch: Hello','x'],['Ateb awtomatig: Hello','x'],['Outomatiese antwoord: Hello','x'],['Përgjigje automatike: Hello','x'],['Avtomatik cavab: Hello','x'],['Awtomatikong tugon: Hello','x'],
  ['Hello','Είμαι σε άδεια μέχρι τις 20 Ιουλίου.'],['Hello','Som na dovolenke do 20. júla.'],['Hello','Na godišnjem odmoru sam do 20. srpnja.'],['Hello','В отпуск съм до 20 юли.'],
  ['Hello','Olen puhkusel kuni 20. juulini.'],['Hello','Šiuo metu atostogauju iki liepos 20 d.'],['Hello','Tôi đang nghỉ phép đến ngày 20 tháng 7.'],['Hello','Saya sedang cuti sampai 20 Juli.'],
];

const FIELDS: Record<string, string>[] = [
  { 'Auto-Submitted': 'auto-replied' },
  { 'X-Autoreply': 'yes' },
  { 'X-Autorespond': 'Hello' },
  { 'X-Autoresponder': '1' },
  { 'X-Mail-Autoreply': 'Vacation' },
  { Precedence: 'auto_reply' },
  { Precedence: 'auto-reply' },
  { 'X-Precedence': 'auto_reply' },
  { 'Auto-Submitted': 'auto-replied; type=vacation' },
  { 'X-Auto-Reply-From': 'a@b' },
  { 'X-Autogenerated': 'Reply' },
  { 'X-Amazon-Auto-Reply': 'true' },
];

// biome-ignore format: a line each
const HUMAN: [subject: string, body: string][] = [
  ['Re: Hello','I was out of the office last week, sorry for the late answer. Yes, let us talk on Monday!'],
  ['Re: Hello','Thanks! I am on vacation until Monday, but let us talk after that. Would 10:00 Tuesday suit?\n\nOn Mon, 6 Jul 2026 at 10:00, Zoe <zoe@example.com> wrote:\n> Hello'],
  ['Re: Out of office','Ha, enjoy your holiday!'],
  ['Re: Automatic reply: Hello','Who is this? Please call me.'],
  ['Re: Undelivered Mail Returned to Sender','Our server seems broken. Try ada2@recipient.example.\n\n> <ada@recipient.example>: 550 5.1.1 User unknown'],
  ['Fwd: Delivery Status Notification (Failure)','FYI, see below. Your mail came back.\n\n---------- Forwarded message ---------\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nDate: Mon, 6 Jul 2026 at 10:00\nSubject: Delivery Status Notification (Failure)\nTo: <ada@recipient.example>\n\n** Address not found **\nYour message wasn\'t delivered to bob@recipient.example because the address couldn\'t be found.'],
  ['Your mail bounced','Hi Zoe,\n\nmy colleague says your last mail could not be delivered because his mailbox is full. Could you send it again to me?\n\nAda'],
  ['Hello','Hi Zoe, I got your message. We are interested. Please call me on Thursday.'],
  ['Re: Hello','Yes'],['Re: Hello','No thanks.'],['Re: Hello','Stop by our office on Monday, please.'],
  ['Re: Hello','We do not unsubscribe from good ideas :) tell me more'],
  ['AW: Hello','Ich bin ab nächster Woche im Urlaub, lassen Sie uns danach sprechen. Passt der 20. August?\n\nVon: Zoe <zoe@example.com>\nGesendet: Montag, 6. Juli 2026 10:00\nAn: Ada\nBetreff: Hello\n\nHallo'],
  ['Re: Hello','Please contact our purchasing department: bob@recipient.example. He is no longer in the office today but tomorrow.'],
  ['Re: Hello','Thank you for your email. We have received your proposal and I will get back to you next week.\n\nBest\nAda\n\nOn Mon, 6 Jul 2026 at 10:00, Zoe <zoe@example.com> wrote:\n> Hello'],
  ['Re: Hello','Bob left the company. I took over, let us talk.\n\n> Hello'],
  ['Re: Hello','Hi Zoe,\n\nThanks for contacting us. We received your email last week. Can you send prices?\n\nAda'],
  ['RE: Hello','We have received your message and discussed it internally. Please call Bob on 555-0100.\n\nFrom: Zoe <zoe@example.com>\nSent: Monday\nTo: Ada\nSubject: Hello\n\nHi'],
  ['Re: Hello','I forwarded it to the mailing list owner. The message was rejected: "550 5.1.1 user unknown". Which address is right?'],
  ['Re: Delivery failure','Did you get my mail? It said mailbox full.'],
  ['Re: Hello','The delivery failed twice because your courier could not find our address. Please send again.'],
  ['Re: Ticket received','Any news on this?'],
  ['Antwort: Hello','Danke für die Nachricht. Ich bin heute nicht im Büro, rufe Sie aber morgen an. Passt 10 Uhr?'],
  ['Re: Hello','Auto-reply off now, I am back! Shall we talk today?'],
  ['Fwd: Out of office','Zoe, this is what I get from Bob. Can you reach him otherwise?\n\n---------- Forwarded message ---------\nFrom: Bob <bob@x.example>\nSubject: Out of office\n\nI am out of the office.'],
  ['Re: Hello','Ok, got it. Sent from my iPhone'],
  ['Re: Hello','Thanks, but I am travelling this week. Can we do next Tuesday?'],
  ['Re: Hello','Do not reply to this thread, write to bob@recipient.example instead, he decides. Looks interesting.'],
  ['Re: Hello','We use an automatic reply tool already, thank you.'],
  ['Re: Hello','How do I unsubscribe my team from our current provider? Would you help with migration?'],
  ['Re: Hello','I would like to opt out of the basic plan and take the big one.'],
  ['Re: Hello','We cannot stop sending newsletters, our customers like them :)'],
  ['Absence of a contract','Hi Zoe, there is no contract yet. Please send one.'],
  ['Re: Hello','I am on holiday right now but this looks great, could you ping me on the 20th?'],
  ['Re: Hello','Remove item 3 from the offer and we have a deal.'],
  ['R: Hello','Sono in viaggio ma ci possiamo sentire giovedì. Che ne dice?'],
  ['Re: Hello','Our mailbox is full of offers like yours. What is different?'],
  ['Hello','Dear Zoe, you wrote to my colleague. I take care of this. Please call me at 555-0100. Best, Carl'],
];

// biome-ignore format: a line each
const OTHERS: Message[] = [
  ['spam daemon','!bounce',{From:'"Mail Delivery System" <support@spam.example>',Subject:'Mail Delivery Failed: returning message to sender'},'Dear customer, (5) messages failed to be delivered to your mailbox because your storage is full. Click here to recover messages.'],
  ['spam undelivered','!bounce',{From:'postmaster@bad.example',Subject:'Undelivered Mail Returned'},'You have 7 undelivered mails clustered on your cloud due to low storage. Kindly recover to your inbox: RECOVER MAILS zoe@example.com'],
  ['spam quota','!bounce',{From:'Admin <no-reply@bad.example>',Subject:'Your mailbox is full'},'zoe@example.com: your mailbox has exceeded its quota. Messages could not be delivered. Upgrade now.'],
  ['newsletter','other',{From:'ACME News <news@acme.example>',Subject:'Delivery delayed? Our new warehouse','List-Unsubscribe':'<mailto:u@acme.example>'},'Our deliveries failed expectations... unsubscribe here'],
  ['shipping notice','other',{From:'DHL <noreply@dhl.example>',Subject:'Delivery failed: we could not deliver your parcel'},'We were unable to deliver your package today because nobody was at home. The address is correct? Choose a new date.'],
  ['cr','other',{From:`Ada <${A}>`,Subject:'Re: Hello [confirmation required]','Auto-Submitted':'auto-replied'},'This mailbox is protected by SpamGuard. Please click the link below to verify that you are a human: https://x.example/abc'],
  ['list confirm','other',{From:'list-request@lists.example',Subject:'confirm 1234abcd'},'Mailing list subscription confirmation notice for mailing list x\n\nTo confirm that you want to be added to this mailing list, simply reply to this message, keeping the Subject: header intact.'],
  ['list held','other',{From:'list-owner@lists.example',Subject:'Your message to list awaits moderator approval','Auto-Submitted':'auto-replied',Precedence:'bulk'},'Your mail to \'list\' with the subject Hello is being held until the list moderator can review it for approval.'],
  ['lotus','auto_reply',{From:'Ada Lovelace/LON/ACME <ada@recipient.example>',Subject:'Ada Lovelace is out of the office (returning Mon 20/07/2026)'},'I will be out of the office starting 07/07/2026 and will not return until 20/07/2026.'],
  ['exchange null rp','auto_reply',{'Return-Path':'<>',From:`Ada <${A}>`,Subject:'Automatic reply: Hello','X-Auto-Response-Suppress':'All'},'x'],
  ['zendesk','auto_reply',{From:'Support <support@recipient.example>',Subject:'[Request received] Hello','Auto-Submitted':'auto-generated'},'Your request (48213) has been received and is being reviewed by our support staff.'],
  ['freshdesk','auto_reply',{From:'Support <support@recipient.example>',Subject:'Ticket Received - Hello'},'Dear Zoe, we would like to acknowledge that we have received your request and a ticket has been created.'],
  ['otrs','auto_reply',{From:'Service <service@recipient.example>',Subject:'[Ticket#2026070710000017] Re: Hello',Precedence:'bulk','Auto-Submitted':'auto-replied'},'Vielen Dank für Ihre Anfrage. Ihre Ticketnummer ist 2026070710000017.'],
  ['rt','auto_reply',{From:'"Support via RT" <rt@recipient.example>',Subject:'[recipient.example #1234] AutoReply: Hello','Auto-Submitted':'auto-generated','X-RT-Ticket':'x'},'This message has been automatically generated in response to the creation of a trouble ticket'],
  ['german eingang','auto_reply',{From:'info@recipient.example',Subject:'Ihre Nachricht an uns'},'Sehr geehrte Damen und Herren,\n\nvielen Dank für Ihre Nachricht. Wir haben Ihre E-Mail erhalten und werden uns schnellstmöglich bei Ihnen melden.'],
  ['french','auto_reply',{From:'info@recipient.example',Subject:'Votre message'},"Bonjour,\n\nNous avons bien reçu votre message et vous répondrons dans les plus brefs délais.\n\nCeci est un message automatique, merci de ne pas y répondre."],
  ['spanish','auto_reply',{From:'info@recipient.example',Subject:'Hemos recibido su mensaje'},'Estimado cliente: hemos recibido su mensaje. Le responderemos a la mayor brevedad.'],
  ['italian','auto_reply',{From:'info@recipient.example',Subject:'Grazie per averci contattato'},'Gentile cliente, abbiamo ricevuto il suo messaggio e le risponderemo al più presto.'],
  ['jp form','auto_reply',{From:'info@recipient.example',Subject:'お問い合わせありがとうございます'},'お問い合わせいただきありがとうございます。内容を確認の上、担当者よりご連絡いたします。'],
  ['chinese','auto_reply',{From:A,Subject:'自动回复:Hello'},'您好，您的邮件我已收到，会尽快回复您。'],
  ['chinese no colon','auto_reply',{From:A,Subject:'Re:Hello'},'这是来自QQ邮箱的假期自动回复邮件。您好，我最近正在休假中，无法亲自回复您的邮件。'],
  ['retired','auto_reply',{From:A,Subject:'Hello'},'Please note that Ada Lovelace no longer works for ACME. Please direct your messages to bob@recipient.example.'],
  ['mail not monitored','auto_reply',{From:A,Subject:'This mailbox is not monitored'},'This mailbox is no longer monitored. Please use our contact form.'],
  ['unsub','unsubscribe_request',{From:A,Subject:'Re: Hello','In-Reply-To':'<abc@example.com>'},'Please take me off your list.'],
  ['unsub of future mail','unsubscribe_request',{From:A,Subject:'Re: Hello','In-Reply-To':'<abc@example.com>'},'opt out of future emails please'],
  ['unsub, never asked','unsubscribe_request',{From:A,Subject:'Re: Hello','In-Reply-To':'<abc@example.com>'},'I never signed up. Stop spamming me.'],
];

const classify = async (headers: Record<string, string>, body: string) => {
  const fields = { 'Content-Type': 'text/plain; charset=utf-8', ...headers };
  return (await classifyRaw(Buffer.from(message(fields, body.replaceAll('\n', '\r\n'))))).result;
};

describe('sent by a program', () => {
  it.each(AUTOMATIC)('%s: %s', async (subject, body) => {
    expect((await classify({ From: `Ada <${A}>`, Subject: subject }, body)).verdict).toBe('auto_reply');
  });

  it.each(FIELDS)('by its header: %o', async (fields) => {
    const headers = { From: `Ada <${A}>`, Subject: 'Re: Hello', ...fields };
    expect((await classify(headers, 'I will read your mail later.')).verdict).toBe('auto_reply');
  });

  it.each(OTHERS)('%s: %s', async (_, verdict, headers, body) => {
    const result = await classify(headers, body);
    if (verdict === '!bounce') expect(result.verdict).not.toMatch(/bounce|delay/);
    else expect(result.verdict).toBe(verdict);
  });
});

describe('written by a person', () => {
  it.each(HUMAN)('%s: %s', async (subject, body) => {
    const headers = { From: `Ada <${A}>`, Subject: subject, 'In-Reply-To': '<abc@example.com>' };
    expect((await classify(headers, body)).verdict).toBe('reply');
  });
});
