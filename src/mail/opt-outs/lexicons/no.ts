import { lexicon } from './lexicon.ts';

export const NO = lexicon('no', {
  mydata: 'min_mail min_email min_epost e-posten_min mailen_min eposten_min',
  remove: 'fjern* slett* stryk* sletting fjerning utelat* slette fjerne kaste kast ta_meg_av',
  removed: 'slettet fjernet strøket',
  unsubscribe: `
      avmeld* avbestill* avregistrer* si_opp_abonnement* avslutt_abonnement* avmelding meld_av meldt_av
      si_opp_abonnementet
    `,
  take: 'ta meld melder tar tas kast hold',
  off: 'av fra ut bort vekk utenfor',
  stop: `
      slutt* stopp* stans* avslutt* hold_opp opphør* la_være unngå stop avstå* unnlat* innstill* nok slutte slutter
      stoppe gi_dere spar spare skån*
    `,
  send: `
      send* skriv* kontakt* maile mailer spam* forstyrr* mase mas plage* kontaktet henvend* forstyrret skrive skriver
      sende sender kontakte bombarder* trakasser* spamme
    `,
  call: 'ring ringe ringer',
  receive: 'få får motta* høre ha',
  want: 'ønsker ønske vil krever ber vil_gjerne trenger velkom* foretrekk* frabe* forlanger oppfordrer forventer anmoder',
  not: 'ikke ikkje aldri ingen intet ei',
  again: 'flere mer igjen lenger lengre ytterligere fremover framover fremtiden',
  mail: `
      e-post* mailer mailene eposter henvendelse* reklame* nyhetsbrev* meldinger spam* kontakt epost e-poster tilbud
      markedsføring kontaktforsøk forslag utsendelse* eposten epostene purring* påminnels* oppfølging*
    `,
  mailing: 'mail mails',
  me: 'meg oss',
  my: 'min mine mitt vår våre vårt',
  data: `
      adresse* opplysning* e-postadresse* epostadresse* mailadresse* navn* personopplysning* data dataene firma*
      bedrift* kontaktinfo* kontaktinformasjon* nummer* ansatte medarbeidere personalet styret ledelse* konto kontoen
      epostadressen e-postadressen postadressen kontaktopplysning*
    `,
  list: `
      liste listen lista lister database* register* registeret system* mailliste* e-postliste* adresseliste* epostliste*
      nyhetsbrevet kartotek kampanj* abonnement* listene
    `,
  your: 'deres din ditt dine denne dette disse alle den',
  filler: `
      takk vennligst vær snill så å jeg vi dere en et og til kan straks nå det de fra for med her hei hilsen mvh om alle
      henhold gdpr blir bli er har at denne dette disse være herved gjerne snarest på mot som hva må skal gjøre ved
      neste blitt hadde all videre slike slikt bruke brukes sørg siste gang satt person feil umiddelbart nok vært tredje
      andre ganger dag dager uke virkelig bare mye allerede altså da fordi hvor noen hver alltid uten mellom også
      uttrykkelig omgående fullstendig helt selv man jo kun stå gå
    `,
  if: 'hvis dersom',
  instruct: 'klikk lenke* svar',
  i: 'jeg vi',
  be: 'bli blir være at',
  how: 'hvordan hvor',
  could: 'kan kunne ville mulig vil takknemlig glad pris heller',
  object: `
      lei uønsk* uoppfordre* motsetter protesterer innvending* innsigelse* protest forby* avvis* frabe* nekt* advokat*
      klager klage datatilsynet anmelder
    `,
  withdraw: 'trekker tilbakekall* trekke',
  consent: 'samtykke* samtykket tillatelse',
  processing: 'behandling* bruk bruken bruke brukes',
  right: 'rett rettighet artikkel art gdpr',
  but: 'men_send må_slutte_nå før innen inntil gamle faktura* møte* tilbudet venteliste* bestilling nøl* første',
  block: 'sperreliste* reservasjonsregist* svarteliste* sperr* blokker*',
  split: 'og eller',
  idioms: [
    'la (?:meg|oss)(?: na| bare| vennligst)? (?:vare |vere |v.re )?i fred',
    'dra til helvete',
    'finn (?:deg |dere )?(?:et annet offer|noen andre a (?:plage|mase pa|spamme))',
    '(?:plag|mas pa|spam) noen andre',
    'nok er nok',
    'nei betyr nei',
    '(?:lei|drittlei) (?:av )?(?:mailene|postene|meldingene|maset) (?:deres|dine)',
  ],
});
