/** The words of one language for the length of an absence, or the time until a return. Accents are removed before words are compared. */
export interface DurationWords {
  /** Words right before the number, separated by commas. Several of them may follow one another. */
  before: string;
  /** One, two, three …, separated by commas; several forms of one number by spaces. */
  numbers: string;
  days: string;
  weeks: string;
  months: string;
}

/** By ISO 639-1 code. */
export const DURATIONS: Readonly<Record<string, DurationWords>> = {
  ar: {
    before: 'لمدة, خلال, بعد',
    numbers: 'واحد, اثنين, ثلاثة, أربعة, خمسة, ستة, سبعة, ثمانية, تسعة, عشرة',
    days: 'يوم أيام',
    weeks: 'أسبوع أسابيع',
    months: 'شهر أشهر',
  },
  cs: {
    before: 'na, za, po dobu, příští, dalších, během',
    numbers: 'jeden jednoho, dva dvě dvou, tři tří, čtyři, pět, šest, sedm, osm, devět, deset',
    days: 'den dny dní dnů',
    weeks: 'týden týdny týdnů',
    months: 'měsíc měsíce měsíců',
  },
  da: {
    before: 'i, om, de næste, de neste, for, i løbet af',
    numbers: 'en et én ett, to, tre, fire, fem, seks, syv sju, otte åtte, ni, ti',
    days: 'dag dage dager',
    weeks: 'uge uger uke uker',
    months: 'måned måneder',
  },
  de: {
    before: 'für, in, die nächsten, den nächsten, der nächsten, die kommenden, den kommenden, nach, noch, innerhalb von, ca, etwa',
    numbers: 'ein eine einen einem einer, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn, vierzehn',
    days: 'tag tage tagen',
    weeks: 'woche wochen',
    months: 'monat monate monaten',
  },
  el: {
    before: 'για, σε, τις επόμενες, μετά από',
    numbers: 'μια μία έναν, δύο δυο, τρεις τρία, τέσσερις τέσσερα, πέντε, έξι, επτά εφτά, οκτώ οχτώ, εννέα, δέκα',
    days: 'ημέρα ημέρες μέρες ημερών',
    weeks: 'εβδομάδα εβδομάδες',
    months: 'μήνα μήνες',
  },
  en: {
    before:
      "for, in, the next, the coming, about, another, within, after, the last, next, a further, approximately, roughly, i'm taking, taking",
    numbers: 'one a an, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen',
    days: "day days day's days'",
    weeks: "week weeks week's weeks'",
    months: "month months month's months'",
  },
  es: {
    before: 'durante, por, en, dentro de, los próximos, las próximas, unos, unas, las siguientes, los siguientes',
    numbers: 'un una uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez',
    days: 'día días',
    weeks: 'semana semanas',
    months: 'mes meses',
  },
  fi: {
    before: 'seuraavat, noin, vielä',
    numbers: 'yhden, kahden kaksi, kolmen kolme, neljän neljä, viiden viisi, kuuden, seitsemän, kahdeksan, yhdeksän, kymmenen',
    days: 'päivän päivää',
    weeks: 'viikon viikkoa',
    months: 'kuukauden kuukautta',
  },
  fr: {
    before: 'pendant, pour, dans, les, les prochains, les prochaines, ces, durant, environ, de',
    numbers: 'un une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize, quatorze, quinze',
    days: 'jour jours',
    weeks: 'semaine semaines prochaines semaines',
    months: 'mois',
  },
  he: {
    before: 'למשך, בעוד, במשך, תוך',
    numbers: 'אחד, שני, שלושה, ארבעה, חמישה, שישה, שבעה, שמונה, תשעה, עשרה',
    days: 'יום ימים',
    weeks: 'שבוע שבועות',
    months: 'חודש חודשים',
  },
  hr: {
    before: 'za, na, sljedećih, idućih, sledećih, u narednih',
    numbers: 'jedan jednu, dva dvije dve, tri, četiri, pet, šest, sedam, osam, devet, deset',
    days: 'dan dana dane',
    weeks: 'tjedan tjedna tjedana nedelje nedelja',
    months: 'mjesec mjeseca meseca meseci',
  },
  hu: {
    before: 'a következő, még, körülbelül, kb',
    numbers: 'egy, két kettő, három, négy, öt, hat, hét, nyolc, kilenc, tíz',
    days: 'napig nap napot nap múlva',
    weeks: 'hétig hetet héten hetig',
    months: 'hónapig hónapot',
  },
  it: {
    before: 'per, tra, fra, i prossimi, le prossime, nei prossimi, nelle prossime, circa',
    numbers: 'un una uno, due, tre, quattro, cinque, sei, sette, otto, nove, dieci',
    days: 'giorno giorni',
    weeks: 'settimana settimane',
    months: 'mese mesi',
  },
  nl: {
    before: 'voor, over, de komende, de volgende, nog, binnen, gedurende',
    numbers: 'een één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien',
    days: 'dag dagen',
    weeks: 'week weken',
    months: 'maand maanden',
  },
  pl: {
    before: 'na, za, przez, przez najbliższe, przez następne, ok, około',
    numbers: 'jeden, dwa dwie, trzy, cztery, pięć, sześć, siedem, osiem, dziewięć, dziesięć',
    days: 'dzień dni',
    weeks: 'tydzień tygodnie tygodni',
    months: 'miesiąc miesiące miesięcy',
  },
  pt: {
    before: 'durante, por, em, dentro de, nos próximos, nas próximas, daqui a',
    numbers: 'um uma, dois duas, três, quatro, cinco, seis, sete, oito, nove, dez',
    days: 'dia dias',
    weeks: 'semana semanas',
    months: 'mês meses',
  },
  ro: {
    before: 'pentru, timp de, în, peste, în următoarele, următoarele',
    numbers: 'o un, două doi, trei, patru, cinci, șase, șapte, opt, nouă, zece',
    days: 'zi zile',
    weeks: 'săptămână săptămâni',
    months: 'lună luni',
  },
  ru: {
    before: 'на, через, в течение, ближайшие, следующие, в ближайшие, около',
    numbers: 'один одну, два две двух, три трех, четыре, пять, шесть, семь, восемь, девять, десять',
    days: 'день дня дней',
    weeks: 'неделю недели недель',
    months: 'месяц месяца месяцев',
  },
  sv: {
    before: 'i, om, de närmaste, de kommande, under, cirka',
    numbers: 'en ett, två, tre, fyra, fem, sex, sju, åtta, nio, tio',
    days: 'dag dagar',
    weeks: 'vecka veckor',
    months: 'månad månader',
  },
  tr: {
    before: 'önümüzdeki, gelecek, yaklaşık',
    numbers: 'bir, iki, üç, dört, beş, altı, yedi, sekiz, dokuz, on',
    days: 'gün günlüğüne gün boyunca',
    weeks: 'hafta haftalığına',
    months: 'ay aylığına',
  },
  uk: {
    before: 'на, через, протягом, найближчі, наступні',
    numbers: 'один, два дві, три, чотири, п’ять, шість, сім, вісім, дев’ять, десять',
    days: 'день дні днів',
    weeks: 'тиждень тижні тижнів',
    months: 'місяць місяці місяців',
  },
};

/** Languages that put the words of `before` after the number, or need none: "10 päivän ajan", "két hétig". */
export const WITHOUT_WORD_BEFORE: readonly string[] = ['fi', 'hu', 'tr'];
