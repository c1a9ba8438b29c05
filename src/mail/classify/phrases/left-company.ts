import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Sentences that say that somebody no longer works there. */
export const LEFT_COMPANY = new PhraseTable([
  group('cs', 'usual wording')`
    již [zde |u nás ](nepracuj|nepůsob)
    už [zde |u nás ](nepracuj|nepůsob)
  `,
  group('da', 'usual wording')`
    er (fratrådt|ikke længere ansat)
  `,
  group('de', 'usual wording')`
    (bin|ist) nicht mehr (bei|für|im (hause|unternehmen)|in (der|unserem|unserer)|teil)
    (das unternehmen|die firma|unser unternehmen|unsere firma) <40>verlassen
    arbeite[t] nicht mehr (bei|für|hier|im|in)
    aus (dem|unserem) unternehmen ausgeschieden
    diese (adresse|e[-]mail[-]adresse|mailadresse) ist nicht mehr (aktiv|gültig|in (benutzung|gebrauch))
  `,
  group('en', 'alaveteli, SpamAssassin corpus, public mailing lists')`
    (am|are|is) no longer (an employee|employed|with (<30>(agency|business|co.|company|firm|inc|ltd|organi(s|z)ation|us)|us)|working (at|for|here|with))
    (has|have|i've) [now |recently |since ]left (our|the|this) (agency|business|company|firm|organi(s|z)ation)
    no longer works (at|for|here|with)
    this e[-]mail [address ]is no longer (active|in use|used|valid)
    |i no longer work (at|for|here|with)
    |i retired (from|in|on)
    |i( have|'ve) [now |recently |since ]left <not (a|early|for|home|it|my|some|the (building|desk|house|office)|town|work|you)|>
    |i( have|'ve)[ now| recently| since] retired|
    |my last [working ]day (at|with) <30> was|
  `,
  group('es', 'usual wording')`
    ha dejado (la|nuestra) (compañía|empresa)
    ya no (forma parte de|trabaja|trabajo) <20>(aquí|compañía|con nosotros|empresa)
    ya no trabajo (con|en|para)|
  `,
  group('fi', 'usual wording')`
    ei ole enää (palveluksessamme|töissä)
    ei työskentele enää
  `,
  group('fr', 'usual wording')`
    (a|ai) quitté (l'entreprise|la société|notre (entreprise|société))
    ne (fais|fait) plus partie de
    ne travaille plus (au|chez|dans|pour)
  `,
  group('hu', 'usual wording')`
    már nem dolgozik
    már nem dolgozom
  `,
  group('it', 'usual wording')`
    ha lasciato (l'azienda|la nostra azienda|la società)
    non (lavora|lavoro) più (con|in|per|presso)
  `,
  group('ja', 'usual wording')`
    退職(いたし|し)ました
  `,
  group('nb', 'usual wording')`
    er ikke lenger ansatt
    har sluttet (hos|i)
  `,
  group('nl', 'usual wording')`
    niet (langer|meer) (in dienst|werkzaam)
    werk[t] niet (langer|meer) (bij|in|voor)
  `,
  group('pl', 'usual wording')`
    już nie prac(uje|uję)
    nie prac(uje|uję) już
  `,
  group('pt', 'usual wording')`
    (já não|não) trabalh(a|o) mais (aqui|com|em|na|no)
    já não trabalh(a|o) (aqui|com|em|na|no)
  `,
  group('ro', 'usual wording')`
    nu mai lucre(ază|z) (la noi|în (compania|firma))
  `,
  group('ru', 'usual wording')`
    больше не работа(ет|ю) (в (компании|нашей)|у нас)
  `,
  group('sk', 'usual wording')`
    už [u nás ]nepracuj
  `,
  group('sv', 'usual wording')`
    (arbetar|jobbar) inte (kvar|längre)
    har slutat (hos|på)
  `,
  group('tr', 'usual wording')`
    artık (bizimle|burada|şirketimizde) çalışm(amaktadır|ıyor)
  `,
  group('uk', 'usual wording')`
    більше не працю(є|ю) (в (компанії|нашій)|у нас)
  `,
  group('zh', 'usual wording')`
    已[经]离职
    已經離職
    已離職
  `,
]);
