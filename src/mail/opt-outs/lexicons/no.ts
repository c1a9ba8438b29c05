import { lexicon } from './lexicon.ts';

export const NO = lexicon('no', {
  remove: 'fjern* slett* stryk* sletting fjerning utelat*',
  removed: 'slettet fjernet strøket',
  unsubscribe: 'avmeld* avbestill* avregistrer* si_opp_abonnement* avslutt_abonnement* avmelding',
  take: 'ta meld melder tar tas',
  off: 'av fra ut bort vekk',
  stop: 'slutt* stopp* stans* avslutt* hold_opp opphør* la_være unngå stop avstå* unnlat* innstill*',
  send: 'send* skriv* kontakt* maile mailer spam* forstyrr* mase mas plage* kontaktet henvend*',
  call: 'ring ringe ringer',
  receive: 'få får motta* høre ha',
  want: 'ønsker ønske vil krever ber vil_gjerne trenger',
  not: 'ikke ikkje aldri ingen intet ei',
  again: 'flere mer igjen lenger lengre ytterligere fremover framover fremtiden',
  mail: `
      e-post* mailer mailene eposter henvendelse* reklame* nyhetsbrev* meldinger spam* kontakt epost e-poster tilbud
      markedsføring kontaktforsøk
    `,
  mailing: 'mail mails',
  me: 'meg oss',
  my: 'min mine mitt vår våre vårt',
  data: `
      adresse* opplysning* e-postadresse* epostadresse* mailadresse* navn* personopplysning* data dataene firma*
      bedrift* kontaktinfo* kontaktinformasjon* nummer* ansatte medarbeidere personalet
    `,
  list: `
      liste listen lista lister database* register* registeret system* mailliste* e-postliste* adresseliste* epostliste*
      nyhetsbrevet kartotek
    `,
  your: 'deres din ditt dine denne dette disse alle den',
  filler: `
      takk vennligst vær snill så å jeg vi dere en et og til kan straks nå det de fra for med her hei hilsen mvh om alle
      henhold gdpr blir bli er har at denne dette disse være herved gjerne snarest på mot som
    `,
  if: 'hvis dersom',
  instruct: 'klikk lenke* svar',
  i: 'jeg vi',
  be: 'bli blir være at',
  how: 'hvordan hvor',
  could: 'kan kunne ville mulig vil takknemlig glad',
  object: 'lei uønsk* uoppfordre* motsetter protesterer innvending* innsigelse* protest',
  withdraw: 'trekker tilbakekall* trekke',
  consent: 'samtykke* samtykket tillatelse',
  processing: 'behandling* bruk bruken',
  right: 'rett rettighet artikkel art gdpr',
  but: 'men_send før innen inntil gamle faktura* møte* tilbudet venteliste* bestilling',
  block: 'sperreliste* reservasjonsregist* svarteliste*',
  split: 'og eller',
  idioms: ['la (?:meg|oss)(?: vare| v.re) i fred', 'la (?:meg|oss) i fred'],
});
