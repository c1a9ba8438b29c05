import { describe, expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

async function hasLeft(text: string): Promise<boolean> {
  const raw = message({ From: 'ada@recipient.example', Subject: 'Automatic reply: Hello', 'Auto-Submitted': 'auto-replied' }, text);
  return (await classifyRaw(Buffer.from(raw))).result.hasLeft;
}

describe('a notice that somebody has left the company', () => {
  it.each([
    'I am no longer with the company. Please write to Charles.',
    'Ada is no longer with Analytical Engines Ltd.',
    'Please note that Ada Lovelace no longer works here.',
    'Ada has left the company. Your email is not forwarded.',
    'I have left the organisation.',
    'Frau Lovelace ist nicht mehr für unser Unternehmen tätig.',
    'Ich arbeite nicht mehr bei der Beispiel GmbH.',
    'Frau Lovelace ist aus dem Unternehmen ausgeschieden.',
    "Ada Lovelace a quitté l'entreprise.",
    'Ada ya no trabaja en la empresa.',
    'Ada non lavora più presso la nostra azienda.',
    'Ada Lovelace is niet meer werkzaam bij ons.',
    'Ada Lovelace již u nás nepracuje.',
    'Ada Lovelace ei ole enää palveluksessamme.',
    'Ada Lovelace már nem dolgozik nálunk.',
    '担当のエイダは退職いたしました。',
    'Ada Lovelace har sluttet hos oss.',
    'Ada Lovelace nu mai lucrează la noi.',
    'Ада Лавлейс больше не работает в нашей компании.',
    'Ada Lovelace artık şirketimizde çalışmamaktadır.',
    'Ада Лавлейс більше не працює у нас.',
    '该员工已离职，请联系查尔斯。',
  ])('%s', async (text) => expect(await hasLeft(text)).toBe(true));

  it.each([
    'I am out of the office until Friday.',
    'I am on leave and will be back on 3 May.',
    'This mailbox is no longer monitored.',
    'I have left the office for today.',
    'Ich bin bis Freitag nicht im Büro.',
    'I am no longer at my desk today.',
    'Этот сайт больше не работает.',
    'Bu adres artık çalışmıyor.',
  ])('not: %s', async (text) => expect(await hasLeft(text)).toBe(false));
});

it('C1.14: an answer that says no more than that is a person’s, though a notice in the same words is not', async () => {
  const verdictOf = async (subject: string) => {
    const raw = message({ From: 'Charles <charles@recipient.example>', Subject: subject }, 'Ada Lovelace is no longer with the company.');
    const { verdict, hasLeft: isGone } = (await classifyRaw(Buffer.from(raw))).result;
    return [verdict, isGone];
  };
  expect(await verdictOf('Re: Hello')).toEqual(['reply', true]);
  expect(await verdictOf('Hello')).toEqual(['auto_reply', true]);
});
