import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Subjects of notices that a message waits in a queue. */
export const DELAY_SUBJECTS = new PhraseTable([
  group('de', 'Exchange: "Delayed" in this language')`
    |verzögert|
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
  group('fr', 'Exchange: "Delayed" in this language')`
    |retardé|
  `,
  group('ja', 'Exchange: "Delayed" in this language')`
    遅延
  `,
  group('nl', 'Exchange: "Delayed" in this language')`
    |vertraagd|
  `,
  group('pl', 'Exchange: "Delayed" in this language')`
    |opóźnion
  `,
  group('ru', 'Exchange: "Delayed" in this language')`
    задерж
  `,
  group('zh', 'Exchange: "Delayed" in this language')`
    延迟
    延遲
  `,
]);

/** Sentences by which a server says that it keeps trying. */
export const DELAY_SENTENCES = new PhraseTable([
  group('da', 'usual wording of servers; not traced to one')`
    forsinket
  `,
  group('de', 'usual wording of servers; not traced to one')`
    noch nicht zugestellt
    verzögert
    wird weiter versucht
  `,
  group('en', "Sendmail, Postfix, Exim, qmail, Exchange, Gmail; flufl.bounce, Exim's test suite")`
    (delivery|mail|message) [being |has been |is |was ](deferred|delayed)
    attempts will continue
    continue trying
    delivery <40>(has been|is|was) (deferred|delayed|postponed)
    delivery incomplete
    has been (deferred|delayed|postponed)
    hasn't yet been delivered
    no action is required on your part
    no need to (resend|retry)
    not yet [been ]delivered
    queued for (further|later)
    still being retried
    still trying
    tempor(ary|arily) (delayed|failure report|undeliverable)
    temporary problem delivering
    this is [only ]a warning
    warning message only
    will [be ](continue to (be|try)|keep trying|retried|retry|try again)
    will be attempted again
    you do not need to resend
  `,
  group('es', 'usual wording of servers; not traced to one')`
    retrasad
    seguir(a|á) intentando
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    retardé
    sera (re|ré)essay
  `,
  group('it', 'usual wording of servers; not traced to one')`
    in ritardo
    ritardat
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    再送を試み
    遅延
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    지연
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    vertraagd
    word[t] opnieuw geprobeerd
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    opóźnion
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    atrasad
    continuar(a|á) tentando
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    задерж
    повторн<word> попыт
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    försenad
  `,
  group('zh', 'usual wording of servers; not traced to one')`
    延迟
    延遲
  `,
]);

/** Sentences that are only said when a server has given up. */
export const FINAL_SENTENCES = new PhraseTable([
  group('any', 'usual wording of servers; not traced to one')`
    definitiv
  `,
  group('de', 'usual wording of servers; not traced to one')`
    endgültig
    permanent(e|er) fehler
  `,
  group('en', "Postfix, Exim, Sendmail, qmail, Exchange; flufl.bounce, Exim's test suite")`
    (failed|rejected|undeliverable) permanently
    failed after
    gave up
    giv(en|ing) up
    has expired
    no further attempts
    permanent[ly] [delivery |fatal ](error|fail)
    returned to [the ]sender
    returning (mail|message) to sender
    time[d][ ]out after
    will not [be ](retr|try)
    won't [be ](retr|try)
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    最終
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    окончательн
  `,
]);
