/** The names of days and months in one language, as people write them; accents are removed before they are compared. */
export interface Calendar {
  /** January to December, separated by commas; several forms of one name by spaces. */
  months: string;
  /** Sunday to Saturday. */
  weekdays?: string;
  /** Short names of weekdays, in any order. They count only before a date. */
  short?: string;
  tomorrow?: string;
}

/** By ISO 639-1 code: the wide and short names of the Unicode CLDR, with the cases and spellings that people use in dates. */
export const CALENDARS: Readonly<Record<string, Calendar>> = {
  ar: {
    months: `
      يناير, فبراير, مارس, أبريل ابريل, مايو, يونيو,
      يوليو, أغسطس اغسطس, سبتمبر, أكتوبر اكتوبر, نوفمبر, ديسمبر`,
    weekdays: 'الأحد, الاثنين الإثنين, الثلاثاء, الأربعاء, الخميس, الجمعة, السبت',
    tomorrow: 'غدا',
  },
  bg: {
    months: 'януари, февруари, март, април, май, юни, юли, август, септември, октомври, ноември, декември',
    weekdays: 'неделя, понеделник, вторник, сряда, четвъртък, петък, събота',
    tomorrow: 'утре',
  },
  cs: {
    months: `
      leden ledna, únor února, březen března, duben dubna, květen května, červen června,
      červenec července, srpen srpna, září, říjen října, listopad listopadu, prosinec prosince`,
    weekdays: 'neděle neděli, pondělí, úterý úterka, středa středu středy, čtvrtek čtvrtka, pátek pátku, sobota sobotu soboty',
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
    weekdays: 'κυριακή κυριακής, δευτέρα δευτέρας, τρίτη τρίτης, τετάρτη τετάρτης, πέμπτη πέμπτης, παρασκευή παρασκευής, σάββατο σαββάτου',
    tomorrow: 'αύριο',
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
  et: {
    months: `
      jaanuar jaanuaril jaanuarini, veebruar veebruaril veebruarini, märts märtsil märtsini, aprill aprillil aprillini, mai mail maini,
      juuni juunil juunini, juuli juulil juulini, august augustil augustini, september septembril septembrini,
      oktoober oktoobril oktoobrini, november novembril novembrini, detsember detsembril detsembrini`,
    weekdays: `
      pühapäev pühapäeval, esmaspäev esmaspäeval esmaspäevani, teisipäev teisipäeval, kolmapäev kolmapäeval,
      neljapäev neljapäeval, reede reedel reedeni, laupäev laupäeval`,
    tomorrow: 'homme',
  },
  fi: {
    months: `
      tammikuu tammikuuta, helmikuu helmikuuta, maaliskuu maaliskuuta,
      huhtikuu huhtikuuta, toukokuu toukokuuta, kesäkuu kesäkuuta,
      heinäkuu heinäkuuta, elokuu elokuuta, syyskuu syyskuuta,
      lokakuu lokakuuta, marraskuu marraskuuta, joulukuu joulukuuta`,
    weekdays: `
      sunnuntai sunnuntaina sunnuntaihin, maanantai maanantaina maanantaihin, tiistai tiistaina tiistaihin,
      keskiviikko keskiviikkona keskiviikkoon, torstai torstaina torstaihin, perjantai perjantaina perjantaihin, lauantai lauantaina`,
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
  he: {
    months: 'ינואר, פברואר, מרץ מרס, אפריל, מאי, יוני, יולי, אוגוסט, ספטמבר, אוקטובר, נובמבר, דצמבר',
    weekdays: 'ראשון, שני, שלישי, רביעי, חמישי, שישי, שבת',
    tomorrow: 'מחר',
  },
  // "Listopada" is October in Croatian and November in Polish, so Croatian leaves it out.
  hr: {
    months: 'siječnja, veljače, ožujka, travnja, svibnja, lipnja, srpnja, kolovoza, rujna, , studenoga studenog, prosinca',
    weekdays: 'nedjelja nedjelju, ponedjeljak ponedjeljka, utorak utorka, srijeda srijedu, četvrtak četvrtka, petak petka, subota subotu',
    tomorrow: 'sutra',
  },
  hu: {
    months:
      'január jan, február febr, március márc, április ápr, május máj, június jún, július júl, augusztus aug, szeptember szept, október okt, november nov, december dec',
    weekdays: `
      vasárnap, hétfő hétfőn hétfőig hétfőtől, kedd kedden keddig keddtől, szerda szerdán szerdáig, csütörtök csütörtökön csütörtökig,
      péntek pénteken péntekig, szombat szombaton szombatig`,
    tomorrow: 'holnap',
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
  lt: {
    months: 'sausio, vasario, kovo, balandžio, gegužės, birželio, liepos, rugpjūčio, rugsėjo, spalio, lapkričio, gruodžio',
    weekdays: `
      sekmadienis sekmadienį, pirmadienis pirmadienį pirmadienio, antradienis antradienį, trečiadienis trečiadienį,
      ketvirtadienis ketvirtadienį, penktadienis penktadienį penktadienio, šeštadienis`,
    tomorrow: 'rytoj',
  },
  lv: {
    months: `
      janvāris janvārī janvārim, februāris februārī februārim, marts martā martam, aprīlis aprīlī aprīlim, maijs maijā maijam,
      jūnijs jūnijā jūnijam, jūlijs jūlijā jūlijam, augusts augustā augustam, septembris septembrī septembrim,
      oktobris oktobrī oktobrim, novembris novembrī novembrim, decembris decembrī decembrim`,
    weekdays:
      'svētdiena svētdien, pirmdiena pirmdien pirmdienai, otrdiena otrdien, trešdiena trešdien, ceturtdiena ceturtdien, piektdiena piektdien piektdienai, sestdiena',
    tomorrow: 'rīt',
  },
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
    weekdays: 'duminică, luni, marți marţi, miercuri, joi, vineri, sâmbătă',
    tomorrow: 'mâine',
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
    months: 'januára, februára, marca, apríla, mája, júna, júla, augusta, septembra, októbra, novembra, decembra',
    weekdays: 'nedeľa nedeľu, pondelok pondelka, utorok utorka, streda stredu, štvrtok štvrtka, piatok piatka, sobota sobotu',
    tomorrow: 'zajtra',
  },
  sl: {
    months: 'januarja, februarja, marca, aprila, maja, junija, julija, avgusta, septembra, oktobra, novembra, decembra',
    weekdays: 'nedelja nedeljo, ponedeljek ponedeljka, torek torka, sreda sredo, četrtek četrtka, petek petka, sobota soboto',
    tomorrow: 'jutri',
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
    weekdays: `
      pazar, pazartesi pazartesiye, salı salıya, çarşamba çarşambaya, perşembe perşembeye, cuma cumaya, cumartesi`,
    tomorrow: 'yarın',
  },
  uk: {
    months: 'січня, лютого, березня, квітня, травня, червня, липня, серпня, вересня, жовтня, листопада, грудня',
    weekdays: `
      неділя неділю неділі, понеділок понеділка, вівторок вівторка, середа середу середи, четвер четверга,
      п'ятниця п'ятницю п'ятниці п’ятницю п’ятниці, субота суботу`,
    tomorrow: 'завтра',
  },
};
