import { lexicon } from './lexicon.ts';

export const DA = lexicon('da', {
  mydata: 'min_mail min_email min_mailadresse hendes_mail hans_mail',
  remove: 'fjern* slet* sletning stryg* udelad* fjernelse slette fjerne smide smid tag_mig',
  removed: 'slettet fjernet strøget slettes fjernes',
  unsubscribe: 'afmeld* framelde* frameld* opsig_nyhedsbrev* afmelding opsig_mit_abonnement opsig_abonnement',
  take: 'tag tage tager pil meld smid kast',
  off: 'af fra ud bort væk ude',
  stop: `
      stop stopp ophør* hold hør_op undlad* stoppe* slut afhold* lad_være afstå* indstil* lade_være holdt nok stoppe
      stopper holde hold_op holder spar skån* drop droppe dropper
    `,
  send: `
      send* skriv* kontakt* maile mailer spamme* forstyr* henvend* ulejlig* kontaktes chikaner* forstyrret kontaktet
      skrive skriver sende sender kontakte bombarder* chikan* spamme følge_op følg_op presse_på pres_på rykke rykker_mig
    `,
  call: 'ring ringe ringer',
  receive: 'modtag* få får høre have ha',
  want: `
      ønsker ønske vil kræver beder vil_gerne behøver velkom* brug_for foretræk* frabed* forlanger opfordrer forventer
      anmoder anmodet gider
    `,
  not: 'ikke ej aldrig ingen intet nej_tak',
  again: 'flere mere igen længere yderligere fremover fremtiden',
  mail: `
      mails e-mails emails henvendelse* reklame* nyhedsbrev* beskeder spam post meddelelser kontakt tilbud henvendelser
      markedsføring kontaktforsøg forslag udsendelse* rykker* påmindels* opfølgning*
    `,
  mailing: 'mail e-mail email',
  me: 'mig os',
  my: 'min mine mit vores',
  data: `
      adresse* oplysning* mailadresse* e-mailadresse* navn personoplysning* data firma* virksomhed* kontaktoplysning*
      nummer medarbejdere personale ansatte bestyrelse ledelse direktion konto
    `,
  list: `
      liste listen lister database* register* system* mailliste* mailingliste* kartotek distributionsliste* nyhedsbrevet
      kampagne* abonnement*
    `,
  your: 'jeres din dit dine denne dette disse alle den deres',
  filler: `
      tak venligst vær venlig at jeg vi i en et og til kan bedes straks nu det de fra for med her hej hilsen mvh om alle
      ifølge gdpr bliver blive er har om_at denne dem være hermed gerne snarest på der mod hurtigst muligt jer skal gøre
      gør må ved næste hvad nok slags bruge bruges sørg sidste gang sig sætte pris op så sødt søde person forkert enhver
      lod været havde tredje anden gange dag dage uge virkelig bare meget allerede altså da fordi hvor nogen hver altid
      uden mellem også udtrykkeligt omgående fuldstændig helt selv man jo stå gå kun hold_da_op inde interesseret
    `,
  if: 'hvis såfremt',
  instruct: 'klik link svar',
  i: 'jeg vi',
  be: 'blive bliver være at kontaktes',
  how: 'hvordan hvor',
  could: 'kan kunne ville muligt vil taknemmelig glad sætte_pris pris hellere',
  object: `
      træt uønsk* uopfordre* indsigelse protesterer modsætter forbyd* afvis* frabed* nægt* advokat* klager klage
      datatilsynet anmelder
    `,
  withdraw: 'trækker tilbagekald* trække',
  consent: 'samtykke* tilladelse',
  processing: 'behandling* brug brugen anvendelse bruge',
  right: 'ret rettighed artikel art gdpr',
  but: 'må_slutte_nu men_send før inden indtil gamle faktura* møde* tilbuddet venteliste* ventelisten bestilling tøv* første',
  block: 'spærreliste* robinsonliste* robinsonlisten blacklist spær bloker*',
  split: 'og eller',
  idioms: [
    'lad (?:mig|os)(?: nu| venligst| bare| dog)? (?:vare |vere |va?re |v.re )?i fred',
    'skr(?:id|ub af)',
    '[pf]is af',
    'find (?:jer |dig )?(?:en anden|et andet|nogle andre) (?:offer|at plage|at genere|at spamme)',
    '(?:plag|gener|forstyr|spam) (?:en|nogen|nogle) and(?:en|re)',
    'hold (?:jer|dig) (?:vak|fra mig|ude af min indbakke)',
    'nok er nok',
    '(?:trat|dodtrat|led) (?:og ked )?af (?:alle )?(?:jeres|dine|de her) (?:mails?|beskeder|henvendelser|reklamer|rykkere)',
    'ma (?:jeg|vi) (?:sa )?(?:bede om fred|vare fri)',
  ],
});
