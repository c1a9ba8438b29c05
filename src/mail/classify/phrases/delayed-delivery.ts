import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Subjects of notices about a message that waits in a queue. */
export const DELAY_SUBJECTS = new PhraseTable([
  group('cs', 'Exchange: "Delayed" in this language')`
    zpožděn
  `,
  group('de', 'Exchange: "Delayed" in this language')`
    |verzögert|
  `,
  group('el', 'Exchange: "Delayed" in this language')`
    καθυστέρησ
  `,
  group(
    'en',
    'Postfix: Delayed Mail (still being retried); Sendmail: Warning: could not send message; Exim: Warning: message delayed; flufl.bounce',
  )`
    |deferred|
    |delay[ed]|
    |still being retried|
    |temporarily|
    |warning|
  `,
  group('es', 'Exchange: "Delayed" in this language')`
    |retrasad
  `,
  group('fi', 'Exchange: "Delayed" in this language')`
    viiväst
  `,
  group('fr', 'Exchange: "Delayed" in this language')`
    |retardé|
  `,
  group('hu', 'Exchange: "Delayed" in this language')`
    késik
  `,
  group('ja', 'Exchange: "Delayed" in this language')`
    遅延
  `,
  group('ko', 'Exchange: "Delayed" in this language')`
    지연
  `,
  group('nl', 'Exchange: "Delayed" in this language')`
    |vertraagd|
  `,
  group('pl', 'Exchange: "Delayed" in this language')`
    |opóźnion
  `,
  group('ro', 'Exchange: "Delayed" in this language')`
    întârzi
  `,
  group('ru', 'Exchange: "Delayed" in this language')`
    задерж
  `,
  group('tr', 'Exchange: "Delayed" in this language')`
    gecikti
  `,
  group('uk', 'Exchange: "Delayed" in this language')`
    затрим
  `,
  group('zh', 'Exchange: "Delayed" in this language')`
    延迟
    延遲
  `,
]);

/** Sentences in which a server says that it keeps trying: it has not given up, whatever else it says. */
export const KEEPS_TRYING = new PhraseTable([
  group('de', 'usual wording of servers; not traced to one')`
    wird weiter versucht
  `,
  group('en', "Sendmail, Postfix, Exim, qmail, Exchange, Gmail; flufl.bounce, Exim's test suite")`
    <not after not >(continue|keep) trying
    attempts will continue
    no action is required on your part
    no need to (resend|retry)
    still being retried
    still trying
    this is [only ]a warning
    warning (message only|only)
    will [be ](retried|retry|try again)
    will be attempted again
    will continue to (be|try)
    you do not need to re[-]send
  `,
  group('es', 'usual wording of servers; not traced to one')`
    seguir(a|á) intentando
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    sera (re|ré)essay
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    再送を試み
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    word[t] opnieuw geprobeerd
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    continuar(a|á) tentando
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    повторн<word> попыт
  `,
]);

/** Sentences in which a server says that a message is waiting. */
export const DELAY_SENTENCES = new PhraseTable([
  group('cs', 'Exchange: "Delayed" in this language')`
    zpo(ždě|zdil)
  `,
  group('da', 'usual wording of servers; not traced to one')`
    forsinket
  `,
  group('de', 'usual wording of servers; not traced to one')`
    noch nicht zugestellt
    verzögert
  `,
  group('el', 'Exchange: "Delayed" in this language')`
    καθυστέρησ
    καθυστερεί
  `,
  group('en', "Sendmail, Postfix, Exim, qmail, Exchange, Gmail; flufl.bounce, Exim's test suite")`
    (delivery|mail|message) [being |has been |is |was ](deferred|delayed)
    delivery <40>(has been|is|was) (deferred|delayed|postponed)
    delivery incomplete
    has been (deferred|delayed|postponed)
    hasn't yet been delivered
    not yet [been ]delivered
    queued for (further|later)
    tempor(ary|arily) (delayed|failure report|undeliverable)
    temporary problem delivering
  `,
  group('es', 'usual wording of servers; not traced to one')`
    retrasad
  `,
  group('fi', 'Exchange: "Delayed" in this language')`
    viiväst
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    retardé
  `,
  group('hu', 'Exchange: "Delayed" in this language')`
    késedelm
    késik
  `,
  group('it', 'usual wording of servers; not traced to one')`
    in ritardo
    ritardat
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    遅延
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    지연
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    vertraagd
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    opóźnion
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    atrasad
  `,
  group('ro', 'Exchange: "Delayed" in this language')`
    întârzi
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    задерж
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    försenad
  `,
  group('tr', 'Exchange: "Delayed" in this language')`
    gecik(ti|iyor|miş)
  `,
  group('uk', 'Exchange: "Delayed" in this language')`
    затрим
  `,
  group('zh', 'usual wording of servers; not traced to one')`
    延迟
    延遲
  `,
]);
