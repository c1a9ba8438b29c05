import { lexicon } from './lexicon.ts';

export const SV = lexicon('sv', {
  mydata: 'min_mail min_mejl min_email min_e-post min_mailadress',
  remove: `
      radera* ta_bort tag_bort stryk* plocka_bort avlägsna* radering borttagning ta_väck tas_bort raderas ta_mig_bort
      kasta slänga släng plocka
    `,
  removed: 'raderad* borttag* struken raderas',
  unsubscribe: `
      avregistrer* avprenumerer* avsluta_prenumeration* säga_upp_prenumeration* avanmäl* avbeställ*
      avsluta_min_prenumeration avsluta_prenumerationen avslut*_prenumeration*
    `,
  take: 'ta tag plocka tar släng kasta',
  off: 'bort ur från av utanför',
  stop: `
      sluta slut stopp stoppa upphör* avstå* avbryt* stop nog avhåll* låt_bli låta_bli slutade räcker slutar upphör
      bespara* skona lägg_av
    `,
  send: `
      skick* maila mejla mailar mejlar kontakta* skriv* spamma* sänd* besvär* stör* kontaktad kontaktade utskick hör_av
      tjata störda skriva skriver skicka skickar kontakta bombardera* trakassera* spamma hör_inte tjat*
    `,
  call: 'ring ringa ringer',
  receive: 'få får ha motta* höra ta_emot',
  want: `
      vill önskar önska undanb* begär behöver skulle_vilja intresserad välkom* undanbe* föredra* kräver krav yrkar
      förväntar uppmanar ber begärt
    `,
  not: 'inte ej aldrig inga inget ingen icke',
  again: 'mer fler igen längre ytterligare mera vidare framöver framtiden',
  mail: `
      mejl utskick* reklam nyhetsbrev* meddelande* e-post skräp* spam kontakt mailen mejlen epost e-postmeddelanden post
      erbjudanden kontaktförsök förfrågningar förslag reklamutskick påminnels* uppföljning*
    `,
  mailing: 'mail mails',
  me: 'mig oss mej',
  my: 'min mina mitt vår våra vårt om_mig om_oss',
  data: `
      adress* uppgift* mejladress* mailadress* e-postadress* namn personuppgift* information företag* kontaktuppgift*
      data nummer personal medarbetare anställda styrelse ledning konto vd
    `,
  list: `
      lista listan listor register* databas* sändlista* utskicket system* maillista* mejllista* kontaktlista* adressbok
      nyhetsbrevet utskickslista* kampanj* prenumeration*
    `,
  your: 'er ert era eran din ditt dina denna detta dessa alla den',
  filler: `
      tack snälla vänligen vänliga var_god var god att jag vi ni en ett och till kan skulle omedelbart genast nu den det
      från för med här hej hälsningar mvh ber om enligt gdpr bli är har sånt denna era på allt alla i också härmed
      tacksam gärna snarast detta av vad måste ska skall göra vore så se ha någon sådana gången sista nästa all idé
      använda använd användas får person fel stöd varit hade tredje andra gång gånger dag dagar vecka verkligen bara
      mycket redan alltså då eftersom där varje alltid utan om_att mellan uttryckligen omgående fullständigt helt själv
      hur man ju väl stå gå borta lägg
    `,
  if: 'om ifall',
  instruct: 'klicka länk* svara svar',
  i: 'jag vi',
  be: 'bli blir vara att',
  how: 'hur var',
  could: 'kan kunde skulle möjligt tacksam glad uppskatta* vore uppskattar kunna hellre',
  object: `
      trött oönska* oombedd* motsätter invänder protesterar invändning motsätta förbjud* avböj* vägra* frånsäg* advokat*
      anmäler anmäla imy undanbe*
    `,
  withdraw: 'återkallar återkalla tar_tillbaka drar_tillbaka',
  consent: 'samtycke* tillstånd medgivande',
  processing: 'behandling* användning* lagring använd använda',
  right: 'rätt rättighet artikel art gdpr',
  but: 'måste_sluta_nu men utan före förrän innan tills gamla faktura* offert* möte* kö* kölista väntelista tveka* första',
  block: 'spärrlista* nix blocklista* svartlista* spärra* blockera*',
  split: 'och eller',
  idioms: [
    'lamna (?:mig|oss|mej)(?: nu| bara| snalla)? (?:i fred|ifred)',
    'lat (?:mig|oss) (?:vara|slippa)',
    'dra at (?:helvete|skogen)',
    'hitta (?:ett annat offer|nagon annan att (?:stora|trakassera|plaga|spamma))',
    '(?:stor|plaga|trakassera|spamma) nagon annan',
    'nog ar nog',
    'nej betyder nej',
    '(?:trott|less|jattetrott) pa (?:era|alla era|dessa|dina) (?:mejl|mail|utskick|meddelanden)',
  ],
});
