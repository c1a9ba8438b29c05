import { describe, expect, it } from 'vitest';
import { holdUntil } from '../../../src/inbound/absence.ts';
import { plain } from '../../../src/mail/classify/calendar-words.ts';
import { returnDate } from '../../../src/mail/classify/index.ts';
import * as comingBack from '../../../src/mail/classify/phrases/coming-back.ts';
import * as dateWords from '../../../src/mail/classify/phrases/date-words.ts';
import * as returnWords from '../../../src/mail/classify/phrases/return-words.ts';

const SENT = new Date('2026-07-08T10:00:00Z');

// biome-ignore format: a line each
const NOTICES: [notice: string, day: string | null][] = [
  ['I am out of the office until Monday, 20 July 2026 and will respond then','2026-07-20'],
  ['I will be out of office from 8th July and will be back on 3rd August.','2026-08-03'],
  ['I am out until July 20, 2026.','2026-07-20'],
  ['I am OOO until 7/20.','2026-07-20'],
  ['I am OOO until 07/20/26.','2026-07-20'],
  ['I will return to the office on Wed, Aug 5th','2026-08-05'],
  ['back in the office 20 July','2026-07-20'],
  ['returning on the 20th of July','2026-07-20'],
  ['I return on the 20th.','2026-07-20'],
  ['Out of office 8-20 July','2026-07-20'],
  ['I am away 8 Jul – 20 Jul 2026','2026-07-20'],
  ['I am on leave through Friday 7/17','2026-07-18'],
  ['on parental leave until January 2027','2027-01-01'],
  ['I will be back next week','2026-07-13'],
  ['I will be back next Monday','2026-07-13'],
  ['Jeg er tilbage næste uge','2026-07-13'],
  ['Вернусь на следующей неделе','2026-07-13'],
  ['Vrátím se, zpět včetně 27. července','2026-07-27'],
  ['Ich bin bis zum 20. Juli nicht erreichbar','2026-07-20'],
  ['Ich bin bis einschl. Freitag, den 17.07.2026, im Urlaub','2026-07-18'],
  ['Ab Montag, 20.7. bin ich wieder für Sie da','2026-07-20'],
  ['vom 08.07. bis 24.07.2026 abwesend','2026-07-24'],
  ['vom 8. bis 24. Juli','2026-07-24'],
  ['Meine Rückkehr ist am 20.07.26','2026-07-20'],
  ['Bin am 20.07. zurück','2026-07-20'],
  ['Je suis en congés jusqu\'au vendredi 24 juillet inclus','2026-07-25'],
  ['De retour le 27/07','2026-07-27'],
  ['Je serai absente du 8 au 24 juillet','2026-07-24'],
  ['Estaré de vuelta el lunes 27 de julio','2026-07-27'],
  ['Vuelvo el 27/07/2026','2026-07-27'],
  ['Estaré ausente del 8 al 24 de julio de 2026','2026-07-24'],
  ['Retorno no dia 27 de julho','2026-07-27'],
  ['Estarei ausente de 8 a 24 de julho','2026-07-24'],
  ['Rientrerò lunedì 27 luglio','2026-07-27'],
  ['Sarò assente dal 8 al 24 luglio','2026-07-24'],
  ['Ik ben terug op maandag 27 juli','2026-07-27'],
  ['Ik ben met verlof van 8 juli t/m 24 juli','2026-07-25'],
  ['Jag är tillbaka den 27 juli','2026-07-27'],
  ['Jeg er tilbage mandag den 27. juli','2026-07-27'],
  ['Jeg er på ferie til og med 24. juli','2026-07-25'],
  ['Palaan töihin 27.7.','2026-07-27'],
  ['Wracam 27 lipca 2026','2026-07-27'],
  ['Do 24.07.2026 jestem na urlopie','2026-07-24'],
  ['Budu zpět 27. července','2026-07-27'],
  ['2026. július 27-ig szabadságon vagyok','2026-07-27'],
  ['Visszatérek július 27-én','2026-07-27'],
  ['Sunt în concediu până pe 24 iulie','2026-07-24'],
  ['Я вернусь 27 июля','2026-07-27'],
  ['Буду отсутствовать с 8 по 24 июля','2026-07-24'],
  ['Я у відпустці до 24 липня','2026-07-24'],
  ['24 Temmuz tarihine kadar izindeyim','2026-07-24'],
  ['Θα λείπω μέχρι 24 Ιουλίου','2026-07-24'],
  ['7月24日まで不在にしております','2026-07-24'],
  ['7/24まで休暇をいただいております','2026-07-24'],
  ['7月27日(月)より出社いたします','2026-07-27'],
  ['2026/7/27に戻ります','2026-07-27'],
  ['我将休假至7月24日','2026-07-24'],
  ['7月8日至7月24日休假','2026-07-24'],
  ['7월 24일까지 휴가입니다','2026-07-24'],
  ['I am away until 24.7.2026 at 9:00','2026-07-24'],
  ['until 2026-07-24T09:00','2026-07-24'],
  ['I am out today and will be back tomorrow','2026-07-09'],
  ['Ich bin heute nicht im Büro und ab morgen wieder da','2026-07-09'],
  ['Guten Morgen, ich bin nicht da.',null],
  ['Our new office opens on 1 September. I am away.',null],
  ['I am out of office until further notice',null],
  ['My assistant is Bob, +1 555 01/02',null],
  ['I will be out of the office starting  07/07/2026 and will not return until 07/20/2026.','2026-07-20'],
  ['starting Mon 06/07/2026 and will not return until 20/07/2026','2026-07-20'],
  ['I will be out from 07/06/2026 until 07/09/2026','2026-07-09'],
  // "A day early (inclusive)": an author who is away through a day is back the day after.
  ['I am away through Friday','2026-07-11'],
  ['Ich bin bis einschließlich 17.07. im Urlaub','2026-07-18'],
  ['Sono in ferie fino al 17 luglio compreso','2026-07-18'],
  ['Я в отпуске до 17 июля включительно','2026-07-18'],
  ['Ik ben afwezig tot en met 17 juli','2026-07-18'],
  ['Jag är ledig till och med fredag','2026-07-11'],
  ['Do 17 lipca włącznie jestem na urlopie','2026-07-18'],
  // "Missing": durations, a day alone, and languages.
  ['I am away for two weeks','2026-07-22'],
  ['I will be back in 3 days','2026-07-11'],
  ['I am on leave for the next 10 days','2026-07-18'],
  ['Ich bin für zwei Wochen im Urlaub','2026-07-22'],
  ['Ich bin in drei Tagen wieder da','2026-07-11'],
  ['Je serai de retour dans deux semaines','2026-07-22'],
  ['Torno tra una settimana','2026-07-15'],
  ['Volto em 5 dias','2026-07-13'],
  ['Jag är på semester i två veckor','2026-07-22'],
  ['Jestem na urlopie przez dwa tygodnie','2026-07-22'],
  ['Я вернусь через две недели','2026-07-22'],
  ['Olen lomalla kaksi viikkoa','2026-07-22'],
  ['Két hétig szabadságon vagyok','2026-07-22'],
  ['We will answer within 3 days',null],
  ['Estaré fuera hasta el próximo lunes','2026-07-13'],
  ['Estaré de vacaciones hasta el día 20','2026-07-20'],
  ['bin bis zum 20. nicht da','2026-07-20'],
  ['de retour le 20','2026-07-20'],
  ['Ik ben maandag 20 juli weer aanwezig','2026-07-20'],
  ['Ich bin erst am Donnerstag, 16.7. wieder erreichbar','2026-07-16'],
  ['Jag är åter den 20 juli','2026-07-20'],
  ['Θα επιστρέψω στις 20 Ιουλίου','2026-07-20'],
  ['Απουσιάζω μέχρι τη Δευτέρα','2026-07-13'],
  ['אני בחופשה עד ה-20.7.2026','2026-07-20'],
  ['أنا في إجازة حتى 20 يوليو','2026-07-20'],
  // "The day of return is named after it."
  ['Szabadságon vagyok július 17-ig, július 20-án állok újra munkába','2026-07-20'],
  ['17 Temmuz tarihine kadar izindeyim, 20 Temmuz’da ofiste olacağım','2026-07-20'],
  ['7월 17일까지 휴가이며 7월 20일에 복귀합니다','2026-07-20'],
  // "Guessed where ambiguous": the later one, unless a weekday or another date decides.
  ['I am OOO until 10/8','2026-10-08'],
  ['I am away until 10/11/2026','2026-11-10'],
  ['I am out until Thursday, 10/09/2026','2026-09-10'],
  ['I am out until Friday, 10/09/2026','2026-10-09'],
  ['I am away until Monday, July 14','2026-07-14'],
  ['I am out until Thursday 14 July','2026-07-16'],
  // "Out until 1 January 2030 holds for 7 days": it is named.
  ['Out until 1 January 2030','2030-01-01'],
];

describe('the day of return that a notice names', () => {
  it.each(NOTICES)('%s', (notice, day) => expect(returnDate(notice, SENT)).toBe(day));

  it('its words are in lower case and without accents, as the text is that they are compared with', () => {
    const lists = [comingBack, dateWords, returnWords].flatMap((module) => Object.values(module));
    const phrases = lists.flatMap(({ groups }) => groups.flatMap(({ phrases }) => phrases));
    expect(phrases.length).toBeGreaterThan(200);
    expect(phrases.filter((phrase) => plain(phrase) !== phrase)).toEqual([]);
  });
});

describe('hold to return date + 1 business day, else +7 days', () => {
  it.each([
    ['2026-07-14', '2026-07-15T00:00:00Z'],
    ['2026-07-17', '2026-07-20T00:00:00Z'],
    ['2026-07-18', '2026-07-20T00:00:00Z'],
    [null, '2026-07-15T10:00:00Z'],
    // C10: 30 days at most.
    ['2027-01-04', '2026-08-07T10:00:00Z'],
  ])('%s: held until %s', (until, held) => expect(holdUntil(until, SENT, 'UTC')).toEqual(new Date(held)));

  it("begins the working day in the campaign's zone", () =>
    expect(holdUntil('2026-07-14', SENT, 'America/New_York')).toEqual(new Date('2026-07-15T04:00:00Z')));
});
