import { lexicon } from './lexicon.ts';

export const DE = lexicon('de', {
  remove: `
      entfern* lösch* streich* tilg* entfernung löschung austrag* entnahme rauslösch* rausnehmen rausnehm* herausnehm*
      herauszunehmen rausschmeiß* vernicht* rauszunehmen auslass* weglass* tilgen streichen raushauen schmeißen
      ausschließen ausschließ* eliminier* löschbegehren löschantrag löschaufforderung
    `,
  removed: 'gelöscht entfernt gestrichen ausgetragen rausgenommen herausgenommen',
  unsubscribe: `
      abmeld* abbestell* austragen austragung abzumelden auszutragen austrag abonnement_kündigen abo_kündigen
      newsletter_kündigen abo_beenden stornieren_abo abo_kündig* newsletter_abo_kündig* newsletter_abbestellen
      kündigen_sie_mein_newsletter bestelle_das_ab bestelle_ich_das_ab bestelle_es_ab bestelle_den_newsletter_ab bestelle_ihren_newsletter_ab kündige_das_abo kündige_den_newsletter kündige_das_abonnement kündige_mein_abonnement austragen
    `,
  take: `
      raus nehmt nimm nehmen nehme tragen trag tragt meld melden meldet meldest trägst werft wirf setz schmeiß* halten
      halte haltet lasst lass
    `,
  off: 'aus ab raus heraus von vom ausm aus_dem weg',
  stop: `
      stop stopp stoppen stoppt aufhören hören_auf hör_auf hört_auf hör hören hört aufzuhören unterlass* einstellen
      einzustellen stellen_ein beenden schluss genug lassen_sie_das absehen abzusehen sehen_ab sehen_sie_bitte_von
      sieh_ab verzichten verzichtet beendet unterlasst verschon* verbitt* verbiete verbitten untersag* untersagen reicht
      unterbleib* unterlaß* absieht unterlassung verzicht lasst_es lassen_sie_es aufhört unterlassen unterlasse*
      einstellt sehen_sie_von sehen_sie_bitte sehen_sie_künftig spar* erspar*
    `,
  send: `
      schreib* schick* senden sendet sende sendest zusenden zuzusenden zusendung anschreib* angeschrieben kontaktier*
      kontaktaufnahme zuschick* zugeschickt gesendet belästig* bombardier* nerv* mailen mailt zumail* anmail* zukommen
      zu_schreiben zuschriften anzuschreiben kontaktieren_zu behellig* stör* übersenden anspammen zuspammen zu_schicken
      anzuschreib* kontaktiert behelligen behelligt zuzuschicken schreibt schriebe schrieben schicktet zumüll*
      penetrier* bedräng* melden meldet insistier* dräng* behellig* nachfass* nachhak* anschreib* anzuschreib*
    `,
  call: 'anruf* ruf rufen ruft angerufen anzurufen',
  receive: 'erhalt* bekomm* empfang* hören kriegen kriege hören_von',
  want: `
      möcht* will wollen wünsch* mag brauch* leg* wert interesse würde bitte_darum erwünscht willkommen benötig* bedarf
      verlang* bitten fordere fordern ersuche* besteh* erwart*
    `,
  not: 'nicht nie niemals kein keine keinen keiner keinerlei nichts nimmer nix',
  again: `
      mehr wieder künftig* zukünftig* nochmal* erneut zukunft fortan irgendwelche länger zusätzlichen neuen weiter
      weitere weiteren weiterer weiteres weiterhin weiterem noch_eine noch_ein noch_einmal
    `,
  mail: `
      mails e-mails emails werbung werbe* newsletter nachricht* anschreiben zuschriften kontakt spam zusendungen post
      info-mails infomails nachfassmail* nachfass* rundmails schreiben akquise kaltakquise belästigung müll
      kontaktaufnahme* anfragen werbemails kontaktversuche kontaktanfrag* kontaktversuch* werbebotschaft* angebote
      angeboten zusendung* mailings kaltmail* werbesendung* belästigungen vorschläge* botschaften Erinnerungen
      Nachfassmails Nachfragen
    `,
  mailing: 'mail e-mail email',
  me: 'mich mir uns',
  my: 'mein* unser* uns. meiner',
  data: `
      daten adress* mail-adresse* e-mail-adresse* mailadresse* emailadresse* name namen kontaktdaten firma firmendaten
      eintrag datensatz nummer informationen angaben profil unternehmen kontakt account postfach mitarbeiter* personal
      kollegen belegschaft vorstand geschäftsleitung geschäftsführung leitung konto kundenkonto kontodaten abteilung
    `,
  list: `
      verteiler* liste listen mailingliste* datenbank* adressbuch adressverteiler system kartei crm kontaktliste
      e-mail-liste mailverteiler newsletter-verteiler newsletterverteiler bestand beständen unterlagen datenbestand
      newsletter verteilerliste adressliste abo abonnement kampagne kampagne* aussendung* datei
    `,
  your: `
      ihr ihre ihrem ihren ihrer euer eure eurem euren eurer dein deine deinem deinen deiner diese diesem diesen dieser
      dieses solche solchen allen alle der dem den jeder jedes sämtliche
    `,
  filler: `
      bitte danke dank vielen herzlich* gerne sofort umgehend unverzüglich hiermit sie ihr du die der das den dem ein
      eine einen zu zur zum an und auch ich wir werden wird sind ist habe haben können könnt könntest kannst würden
      würdest könnten hallo guten tag gruß grüße mfg lg mit freundlichen besten ab jetzt heute noch einmal hier davon
      dringend endlich für im in von ihnen euch gemäß nach um doch mal so schnell wie möglich kein_interesse dass es
      über mich allen e-mail darum jegliche art personenbezogen* gespeicherten gespeicherte daher deshalb des wieder nur
      auf güte fordere jede jeder jeden jedes jeglicher jeglichen wäre einfach bin hab kann bei beim was muss damit
      dafür darf genutzt sinn hat wirklich wär war nächsten letzten letztes allerletzte nie voll also überhaupt sorgen
      herr frau sein seid waren wären hatte hätte hätten sonst ganz schon eben bloß man dies dessen deren denn dann dazu
      darauf hierzu hierfür ebenfalls ausdrücklich nachdrücklich letztmalig augenblicklich prompt komplett vollständig
      bereits zweite dritte dritten male tage woche wochen ständig dauernd laufend immer jemals etwas irgendetwas jemand
      dauerhaft endgültig hingegen freundlich freundlichst ersuche bestehe verlange fordern erwarte stehen dabei person
      sich
    `,
  if: 'wenn falls sofern sollten',
  instruct: 'klick* link antworten hier_klicken folgenden antworten_sie button unten',
  i: 'ich wir',
  be: 'werden wird wurde worden zu sein',
  how: 'wie wo',
  could: 'könnt* kannst können würde* möglich bitte dankbar verbunden freuen fände froh lieber dankend',
  object: `
      satt leid unverlangt* reicht_mir mir_reicht unerwünscht* unverlangt* unaufgefordert* widersprech* widerspruch
      widerspreche widersprechen lehn* ablehn* unzulässig verbot anwalt verklag* anzeig* beschwer* verbraucherzentrale
      datenschutzbehörde abmahn*
    `,
  withdraw: 'widerruf* zurückzieh* ziehe_zurück entzieh* widerrufe ziehe ziehen zieh zurückziehen zurück',
  consent: 'einwilligung* zustimmung erlaubnis einverständnis einverstanden',
  processing: 'nutzung verarbeit* verwend* werbezweck* speicherung weitergabe verarbeitung direktwerbung',
  right: 'recht art artikel dsgvo antrag anspruch datenschutz-grundverordnung',
  but: `
      jederzeit aber sondern statt stattdessen bis vor erst lieber außer noch_nicht alte alten webinar termin angebot
      rechnung warteliste seminar konferenz überlegen vorerst zöger* zögern erste ersten erstes schluss_für_heute
    `,
  block: 'sperrliste blacklist robinsonliste sperrdatei sperrvermerk robinson-liste sperr* blockier*',
  split: 'und oder',
  idioms: [
    '(?:las+t?|las+en sie) (?:mich|uns)(?: bit+e| endlich| einfach| doch)* in (?:ruhe|frieden)',
    'verschon\\S* (?:sie )?(?:mich|uns)',
    'zieht? leine',
    'verpis+\\S* (?:euch|dich|sie sich)',
    'such(?:t|en)? (?:euch|dir|sie sich)(?: bit+e)? (?:einen? |ein )?ander\\S* (?:opfer|dummen)',
    '(?:nerv|belastig|spam|storen|stort)\\S* (?:sie )?(?:bit+e )?(?:jemand|wen) ander\\S*',
    'nein heis+t nein',
    'genug ist genug',
    'nase (?:gestrichen )?voll von (?:ihren|euren|diesen) (?:mails|nachrichten)',
    'auf (?:den (?:geist|keks|wecker|sack)|die nerven) mit (?:ihren|euren) mails',
    'jetzt reicht(?: es| s)? (?:aber|mir|wirklich|langsam)',
    '(?:gebt|geben sie)(?: mir| uns)?(?: endlich| bit+e)* ruhe',
    'bleiben? sie (?:mir|uns)(?: bit+e)? (?:vom leib|vom hals|fern)',
    'las+(?:t|en sie) es(?: bit+e| doch| endlich)* (?:gut )?sein',
    '(?:raus|verschwind\\S*(?: sie)?) aus meinem (?:postfach|posteingang)',
    '(?:ihr|sie) nerv(?:t|en)(?! (?:nicht|uberhaupt|gar|kein))(?: nur noch| gewaltig| total)?',
  ],
});
