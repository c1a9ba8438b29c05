import { lexicon } from './lexicon.ts';

export const NL = lexicon('nl', {
  remove: `
      verwijder* wis wissen schrap* schrappen verwijdering delete haal_weg gewist weghalen weghaalt vernietig*
      verwijderen wegdoen wist gooi gooien schrap gooit haalt knikker donder uit_te_schrijven
    `,
  removed: 'verwijderd gewist geschrapt uitgeschreven',
  unsubscribe: `
      afmeld* uitschrijv* afmelding uitschrijving afgemeld uitgeschreven opzeggen_nieuwsbrief nieuwsbrief_opzeggen
      abonnement_opzeggen abonnement_op zeg_mijn_abonnement
    `,
  take: 'haal halen haalt schrijf meld neem nemen schrijft gooi houd hou gooien',
  off: 'van uit af eruit ervan vanaf weg buiten eraf',
  stop: `
      stop stopt stoppen ophouden hou houd houdt staak staken gestopt op_te_houden genoeg beëindig* basta afzien
      onthoud* nalaten afblijven gestaakt onthouden kappen kap staakt bespaar* bespar*
    `,
  send: `
      stuur stuurt sturen zend zenden schrijven contacteer contacteren benader* lastig mailen mail mailt spammen bericht
      toesturen toezenden toestuurt gestuurd te_mailen aanschrijven aangeschreven stoor storen opnemen benaderd
      toe_sturen aan_schrijven schrijf lastigvallen lastig_vallen lastig_te_vallen bestook* bombardeer* dring
    `,
  call: 'bel bellen belt',
  receive: 'ontvang* krijg* horen hoor',
  want: `
      wil willen wens* wenst stel stellen prijs verzoek hoef hoeven behoefte interesse welkom nodig prefereer eis eisen
      vraag vragen verzoeken sommeer dring verwacht
    `,
  not: 'niet geen nooit niets niks nimmer',
  again: 'meer langer verder* opnieuw nog voortaan ooit toekomst',
  mail: `
      mails e-mails emails berichten nieuwsbri* reclame mailings mailtjes spam post mailtje advertenties contact
      e-mailtjes aanbiedingen voorstellen contactpogingen mailing aanbod herinnering* opvolg*
    `,
  mailing: 'mail e-mail email',
  me: 'mij me ons mezelf',
  my: 'mijn onze mn ons',
  data: `
      gegevens adres mailadres e-mailadres emailadres naam persoonsgegevens contactgegevens bedrijf firma data nummer
      mijn_contact personeel medewerkers collega's bestuur directie management account organisatie
    `,
  list: `
      lijst lijsten mailinglijst mailinglist bestand bestanden database systeem adressenbestand verzendlijst mailing
      distributielijst crm adresboek nieuwsbrief adressenlijst administratie mailbestand campagne* abonnement mailings
    `,
  your: 'uw jullie je jouw deze dit die de het alle',
  filler: `
      aub svp alstublieft alsjeblieft graag gelieve gaarne bedankt dank dankjewel hartelijk de het een u jij jullie ik
      wij we zijn is worden te om direct onmiddellijk per meteen hierbij wilt kunt kan kunnen wil voor aan door van met
      en ook hier hallo beste groet groeten vriendelijke mvg a.u.b nu dit die er maar op grond avg alle over deze onze
      verzoeken ons toch bij heb heeft dat in mag moet moeten wat doen gebruikt gebruiken zin eens zulke zo elk volgende
      laatste keer zorg ervoor persoon verkeerde vriendelijk wordt verzocht hiervoor blij ben was waren had hebben
      hadden derde tweede keren dag dagen week echt gewoon heel erg al dan omdat waar iemand elke altijd zonder tussen
      nogmaals uitdrukkelijk dringend volledig helemaal zelf hoe even wel staan naar ermee alleen
    `,
  if: 'als indien wanneer mocht',
  instruct: 'klik link hieronder antwoord hier_klikken antwoorden',
  i: 'ik wij we',
  be: 'worden te word',
  how: 'hoe waar',
  could: 'kunt kan kunnen wilt zou zouden mogelijk dankbaar stellen fijn waarderen blij liever',
  object: 'genoeg_van beu zat ongewenst* ongevraagd* bezwaar weiger* verbied* verboden afwijz* advocaat klacht aangifte',
  withdraw: 'intrek* trek herroep*',
  consent: 'toestemming',
  processing: 'verwerking gebruik verwerken',
  right: 'recht artikel art avg gdpr verzoek',
  but: `
      elk_moment altijd maar_wel maar_naar maar_aan niet_uit tot voor_tien voordat pas liever oude wachtlijst vergadering afspraak offerte factuur
      bestelling percentage aarzel* eerste
    `,
  block: 'blacklist blokkeerlijst zwarte_lijst bel-me-niet blokkeer* blokker*',
  split: 'en of',
  idioms: [
    'la+t (?:me|mij|ons)(?: nu| toch| gewoon| alsjeblieft)* met rust',
    'ro+t op',
    '(?:donder|hopel|sodemieter) op',
    'schei (?:toch )?uit(?: met (?:dat )?(?:ge)?mail\\S*)?',
    'kap(?:pen)?(?: nou| nu)? (?:ermee|met (?:mailen|die mails|spammen))',
    'zok(?:en)? (?:jullie |maar )?een ander slachtoffer',
    'val iemand anders lastig',
    'ga (?:een|iemand) anders? (?:lastig vallen|lastigvallen|vervelen|spammen)',
    'nee is nee',
    'genog is genog',
    '(?:jullie|uw|die) (?:mails?|berichten|reclame) (?:zo )?(?:zat|beu|spugzat)',
    'blijf uit mijn inbox',
  ],
});
