/** The names of days and months in one language, as people write them; accents are removed before they are compared. */
export interface Calendar {
  /** January to December, separated by commas; several forms of one name by spaces. */
  months: string;
  /** Sunday to Saturday. */
  weekdays?: string;
  /** Short names in any order; they count only before a date. */
  short?: string;
  tomorrow?: string;
}

/** By ISO 639-1 code: the wide and short names of the Unicode CLDR, with the cases and spellings that people use in dates. */
export const CALENDARS: Readonly<Record<string, Calendar>> = {
  bg: { months: 'януари, февруари, март, април, май, юни, юли, август, септември, октомври, ноември, декември' },
  cs: {
    months: `
      leden ledna, únor února, březen března, duben dubna, květen května, červen června,
      červenec července, srpen srpna, září, říjen října, listopad listopadu, prosinec prosince`,
    weekdays: 'neděle, pondělí, úterý, středa, čtvrtek, pátek, sobota',
    tomorrow: 'zítra',
  },
  da: {
    months: `
      januar jan, februar feb, marts mar, april apr, maj, juni jun,
      juli jul, august aug, september sep, oktober okt, november nov, december dec`,
    weekdays: 'søndag, mandag, tirsdag, onsdag, torsdag, fredag, lørdag',
    short: 'man tir ons tor lør',
    tomorrow: 'morgen',
  },
  de: {
    months: `
      januar jänner jan, februar feb febr, märz maerz mrz, april apr, mai, juni jun,
      juli jul, august aug, september sept sep, oktober okt, november nov, dezember dez`,
    weekdays: 'sonntag, montag, dienstag, mittwoch, donnerstag, freitag, samstag sonnabend',
    short: 'mo di mi do fr sa so',
    tomorrow: 'morgen',
  },
  el: {
    months: `
      ιανουαρίου, φεβρουαρίου, μαρτίου, απριλίου, μαΐου, ιουνίου,
      ιουλίου, αυγούστου, σεπτεμβρίου, οκτωβρίου, νοεμβρίου, δεκεμβρίου`,
  },
  en: {
    months: `
      january jan, february feb, march mar, april apr, may, june jun,
      july jul, august aug, september sept sep, october oct, november nov, december dec`,
    weekdays: 'sunday, monday, tuesday, wednesday, thursday, friday, saturday',
    short: 'mon tue tues wed thu thur thurs fri sat sun',
    tomorrow: 'tomorrow',
  },
  es: {
    months: `
      enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun,
      julio jul, agosto ago, septiembre setiembre sept, octubre oct, noviembre nov, diciembre dic`,
    weekdays: 'domingo, lunes, martes, miércoles, jueves, viernes, sábado',
    short: 'lun mar mie jue vie sab dom',
    tomorrow: 'mañana',
  },
  et: { months: 'jaanuar, veebruar, , , mai, , , august, september, , november, ' },
  fi: {
    months: `
      tammikuu tammikuuta, helmikuu helmikuuta, maaliskuu maaliskuuta,
      huhtikuu huhtikuuta, toukokuu toukokuuta, kesäkuu kesäkuuta,
      heinäkuu heinäkuuta, elokuu elokuuta, syyskuu syyskuuta,
      lokakuu lokakuuta, marraskuu marraskuuta, joulukuu joulukuuta`,
    weekdays: 'sunnuntai, maanantai, tiistai, keskiviikko, torstai, perjantai, lauantai',
    tomorrow: 'huomenna',
  },
  fr: {
    months: `
      janvier janv, février fevr, mars, avril avr, mai, juin,
      juillet juil, août, septembre sept, octobre oct, novembre nov, décembre dec`,
    weekdays: 'dimanche, lundi, mardi, mercredi, jeudi, vendredi, samedi',
    short: 'lun mar mer jeu ven sam dim',
    tomorrow: 'demain',
  },
  // October is "listopada" here and November in Polish, so it is in neither reading of Croatian.
  hr: { months: 'siječnja, , ožujka, travnja, svibnja, lipnja, srpnja, kolovoza, rujna, , studenoga, prosinca' },
  hu: {
    months: 'január, február, március, április, május, június, július, augusztus, szeptember, október, november, december',
  },
  it: {
    months: `
      gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu,
      luglio lug, agosto ago, settembre set, ottobre ott, novembre nov, dicembre dic`,
    weekdays: 'domenica, lunedì, martedì, mercoledì, giovedì, venerdì, sabato',
    short: 'lun mar mer gio ven sab dom',
    tomorrow: 'domani',
  },
  nb: { months: 'januar, februar, mars, april, mai, juni, juli, august, september, oktober, november, desember des', tomorrow: 'imorgon' },
  nl: {
    months: `
      januari jan, februari febr, maart mrt, april apr, mei, juni jun,
      juli jul, augustus aug, september sept sep, oktober okt, november nov, december dec`,
    weekdays: 'zondag, maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag',
    short: 'ma di wo do vr za zo',
    tomorrow: 'morgen',
  },
  pl: {
    months: `
      styczeń stycznia, luty lutego, marzec marca, kwiecień kwietnia, maj maja, czerwiec czerwca,
      lipiec lipca, sierpień sierpnia, wrzesień września, październik października, listopad listopada, grudzień grudnia`,
    weekdays: 'niedziela niedzielę, poniedziałek poniedziałku, wtorek wtorku, środa środę, czwartek czwartku, piątek piątku, sobota sobotę',
    short: 'pon wt śr czw pt',
    tomorrow: 'jutro',
  },
  pt: {
    months: `
      janeiro jan, fevereiro fev, março mar, abril abr, maio mai, junho jun,
      julho jul, agosto ago, setembro set, outubro out, novembro nov, dezembro dez`,
    weekdays: 'domingo, segunda-feira, terça-feira, quarta-feira, quinta-feira, sexta-feira, sábado',
    short: 'seg ter qua qui sex sab dom',
    tomorrow: 'amanhã',
  },
  ro: {
    months: 'januarie ianuarie, februarie, martie, aprilie, mai, iunie, iulie, august, septembrie, octombrie, noiembrie, decembrie',
  },
  ru: {
    months: `
      январь января янв, февраль февраля фев, март марта мар, апрель апреля апр, май мая, июнь июня июн,
      июль июля июл, август августа авг, сентябрь сентября сен, октябрь октября окт, ноябрь ноября ноя, декабрь декабря дек`,
    weekdays: `
      воскресенье воскресенья, понедельник понедельника, вторник вторника, среда среды среду,
      четверг четверга, пятница пятницы пятницу, суббота субботы субботу`,
    short: 'пн вт ср чт пт сб вс',
    tomorrow: 'завтра',
  },
  sk: {
    months: 'januára, februára, marca, apríla, mája, júna, júla, augusta, septembra, oktobra, novembra, decembra',
  },
  sv: {
    months: `
      januari jan, februari feb, mars mar, april apr, maj, juni jun,
      juli jul, augusti aug, september sept, oktober okt, november nov, december dec`,
    weekdays: 'söndag, måndag, tisdag, onsdag, torsdag, fredag, lördag',
    short: 'mån ons tor lör söndag',
    tomorrow: 'imorgon morgon',
  },
  tr: {
    months: 'ocak, şubat, mart, nisan, mayıs, haziran, temmuz, ağustos, eylül, ekim, kasım, aralık',
    weekdays: 'pazar, pazartesi, salı, çarşamba, perşembe, cuma, cumartesi',
    tomorrow: 'yarın',
  },
  uk: {
    months: 'січня, лютого, березня, квітня, травня, червня, липня, серпня, вересня, жовтня, листопада, грудня',
  },
};
