import { describe, expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

async function verdictOf(text: string, headers: Record<string, string> = {}) {
  const fields = {
    ...{ From: 'Ada Lovelace <ada@corp.example>', Subject: 'Re: Hello', 'In-Reply-To': '<abc@example.com>' },
    ...{ 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  };
  return (await classifyRaw(Buffer.from(message(fields, text.split('\n'))))).result.verdict;
}

const LETTER = `Dear Sir or Madam,

I have received your message of last week at my business address. I do not recall that I ever had any dealings with your company, and I can
find no record of an enquiry of ours. Please tell me where you got my address, which data about me you hold, for which purpose you process it,
and to whom you have passed it on (Article 15 GDPR). I object to the processing of my data for direct marketing (Article 21). Please
unsubscribe me from your list and do not contact me or anybody else at our company again. I expect your answer within a month, as the law
provides, and reserve the right to complain to the authority.

Yours faithfully`;

describe('"the legally heaviest requests are the long ones": a request suppresses', () => {
  // biome-ignore format: a line each
  it.each([
    LETTER, 'No thanks, unsubscribe', 'Not interested - take me off please', 'kein Interesse, bitte nicht mehr anschreiben',
    'Hiermit widerspreche ich der Nutzung meiner Daten zu Werbezwecken.', 'STOP PUB', 'Quero ser removido da lista',
    'Stuur mij geen mails meer', 'Afmelden aub', 'Sluta maila mig', 'Prosím o odstránenie z databázy', 'Listeden çıkarın lütfen',
    'do not want any more emails', 'take us off, thanks', 'No, remove me.', 'Kindly remove my address from your database.',
  ])('%s', async (text) => expect(await verdictOf(text)).toBe('unsubscribe_request'));

  it('in the subject of an answer', async () => {
    expect(await verdictOf('Thanks', { Subject: 'REMOVE ME Re: Hello' })).toBe('unsubscribe_request');
  });
});

describe('"verb + me, us, my address … no other object, not negated": these are answers', () => {
  // biome-ignore format: a line each
  it.each([
    'Bitte löschen Sie den alten Termin, Donnerstag passt.', 'Bitte entfernen Sie das Logo aus dem Angebot, dann passt es.',
    'Kannst du mich bitte abmelden vom Webinar und für nächste Woche anmelden?', 'Bitte entfernen Sie mich nicht.',
    'Können Sie bitte Frau Meier aus dem Verteiler nehmen? Sie hat gewechselt.', 'Proszę usunąć punkt 3 z oferty i podpisujemy.',
    'No me envíe más información, ya estoy convencido', 'Could you unsubscribe my colleague Jane but keep me on?',
    'Please remove my address from the order', 'Do not email us the PDF, post it.',
    'Please do not remove me from your list, I am interested!', 'Je ne souhaite pas me désinscrire, au contraire.',
    'No quiero darme de baja, llámame mañana.', 'Please remove me from cc and talk to Bob directly, he is interested.',
    'please take me off the demo reminder for Friday', 'Sure!\n\nWenn Sie keine E-Mails mehr erhalten möchten, antworten Sie bitte mit "Abmelden".',
    'We\'d like to unsubscribe from our current provider, so your timing is good!',
    'Sounds good, Thursday at 3.\n\n__._,_.___\nTo unsubscribe from this group, send an email to:\ngroup-unsubscribe@yahoogroups.com',
  ])('%s', async (text) => expect(await verdictOf(text)).toBe('reply'));
});
