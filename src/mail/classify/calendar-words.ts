/** Names of months and weekdays, without accents and in lower case, in the languages that absence notices come in. */

const MONTHS: readonly string[] = [
  'january jan januar janner janvier janv enero ene janeiro gennaio gen januari tammikuu tammikuuta styczen stycznia ledna leden januarie ianuarie января январь янв ocak januar ιανουαριου січня siječnja jaanuar januara януари',
  'february feb februar fevrier fevr febrero fevereiro fev febbraio febr februari helmikuu helmikuuta luty lutego unora unor februarie февраля февраль фев subat φεβρουαριου лютого veebruar februara февруари',
  'march mar marz mars marzo marco maart mrt maaliskuu maaliskuuta marzec marca brezna brezen martie марта март мар mart maerz mrz marcius μαρτιου березня ozujka marts',
  'april apr avril avr abril abr aprile huhtikuu huhtikuuta kwiecien kwietnia dubna duben aprilie апреля апрель апр nisan aprilis απριλιου квітня travnja aprila април',
  'may mai mayo maio maggio mag mei toukokuu toukokuuta maj maja kvetna kveten мая май mayis majus μαιου травня svibnja',
  'june jun juni juin junio junho giugno giu kesakuu kesakuuta czerwiec czerwca cervna cerven iunie июня июнь июн haziran junius ιουνιου червня lipnja juna юни',
  'july jul juli juillet juil julio julho luglio lug heinakuu heinakuuta lipiec lipca cervence cervenec iulie июля июль июл temmuz julius ιουλιου липня srpnja jula юли',
  'august aug aout agosto ago augustus augusti elokuu elokuuta sierpien sierpnia srpna srpen августа август авг agustos augusztus αυγουστου серпня kolovoza augusta',
  'september sep sept septembre septiembre setiembre setembro settembre set syyskuu syyskuuta wrzesien wrzesnia zari septembrie сентября сентябрь сен eylul szeptember σεπτεμβριου вересня rujna septembra септември',
  'october oct oktober okt octobre octubre outubro out ottobre ott lokakuu lokakuuta pazdziernik pazdziernika rijna rijen octombrie октября октябрь окт ekim οκτωβριου жовтня oktobra октомври',
  'november nov novembre noviembre novembro marraskuu marraskuuta listopad listopada listopadu noiembrie ноября ноябрь ноя kasim νοεμβριου листопада studenoga novembra ноември',
  'december dec dezember dez decembre diciembre dic dezembro dicembre joulukuu joulukuuta grudzien grudnia prosince prosinec decembrie декабря декабрь дек aralik des desember δεκεμβριου грудня prosinca decembra декември',
];

const WEEKDAYS: readonly string[] = [
  'sunday sonntag dimanche domingo domenica zondag sondag sunnuntai niedziela niedziele nedele воскресенье воскресенья pazar',
  'monday montag lundi lunes segunda-feira lunedi maandag mandag maanantai poniedzialek poniedzialku pondeli понедельник понедельника pazartesi',
  'tuesday dienstag mardi martes terca-feira martedi dinsdag tisdag tirsdag tiistai wtorek wtorku utery вторник вторника sali',
  'wednesday mittwoch mercredi miercoles quarta-feira mercoledi woensdag onsdag keskiviikko sroda srode streda среда среды среду carsamba',
  'thursday donnerstag jeudi jueves quinta-feira giovedi donderdag torsdag torstai czwartek czwartku ctvrtek четверг четверга persembe',
  'friday freitag vendredi viernes sexta-feira venerdi vrijdag fredag perjantai piatek piatku patek пятница пятницы пятницу cuma',
  'saturday samstag sonnabend samedi sabado sabato zaterdag lordag lauantai sobota sobote суббота субботы субботу cumartesi',
];

const TOMORROW = 'tomorrow morgen demain manana amanha domani imorgon i morgon i morgen huomenna jutro zitra завтра yarin';

/** Short forms; they count only before a date, where they say nothing more. */
export const WEEKDAY_SHORT =
  'mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|sab|dom|gio|seg|ter|qua|qui|sex|ma|wo|vr|za|zo|man|tor|tir|ons|lor|sondag|pon|wt|sr|czw|pt|пн|вт|ср|чт|пт|сб|вс';

const NEXT_WEEK =
  'next week|(kommende|nachste)[nr]? woche|(la )?semaine prochaine|(la )?(proxima|semana que) (semana|viene|vem)|(la )?prossima settimana|settimana prossima|volgende week|nasta vecka|neste uke|naeste uge|ensi viikolla|w przyszlym tygodniu|pristi tyden|на следующеи неделе|来週|下周|下週|下星期|다음 ?주';

/** Letters that no accent makes, and one that is a letter of its own with its accent. */
const SPECIAL: Readonly<Record<string, string>> = { й: 'й', ł: 'l', ı: 'i', ø: 'o', ß: 's' };
/** Beyond are scripts without accents of this kind. */
const LAST_ACCENTED = 0x1fff;
const FIRST_HANGUL = 0x1100;

/** Text as the tables have it: lower case, no accents. Keeps every character's place, so that an index stays one. */
export function plain(text: string): string {
  let result = '';
  for (const character of text.toLowerCase()) {
    const code = character.codePointAt(0) ?? 0;
    const hasAccent = code > 0x7f && code <= LAST_ACCENTED && (code < FIRST_HANGUL || code > 0x11ff);
    const base = SPECIAL[character] ?? (hasAccent ? character.normalize('NFD').charAt(0) : character);
    result += base.padEnd(character.length, ' ');
  }
  return result;
}

const indexOf = (lists: readonly string[]) =>
  new Map(lists.flatMap((names, index) => names.split(' ').map((name) => [plain(name), index] as const)));

/** 0 for January. */
export const MONTH_BY_NAME = indexOf(MONTHS);
/** 0 for Sunday. */
export const WEEKDAY_BY_NAME = indexOf(WEEKDAYS);

const alternatives = (names: Iterable<string>) => [...names].sort((a, b) => b.length - a.length).join('|');

export const MONTH_PATTERN = alternatives(MONTH_BY_NAME.keys());
export const WEEKDAY_PATTERN = alternatives(WEEKDAY_BY_NAME.keys());
export const TOMORROW_PATTERN = alternatives(
  TOMORROW.split(' ')
    .filter((word) => word.length > 1)
    .map(plain),
);
export const NEXT_WEEK_PATTERN = NEXT_WEEK;
