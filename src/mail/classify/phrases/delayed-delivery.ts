import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

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

/** Sentences by which a server says that it keeps trying: it has not given up, whatever else it says. */
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

/** Sentences by which a server says that a message waits. */
export const DELAY_SENTENCES = new PhraseTable([
  group('da', 'usual wording of servers; not traced to one')`
    forsinket
  `,
  group('de', 'usual wording of servers; not traced to one')`
    noch nicht zugestellt
    verzögert
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
  group('fr', 'usual wording of servers; not traced to one')`
    retardé
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
  group('ru', 'usual wording of servers; not traced to one')`
    задерж
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    försenad
  `,
  group('zh', 'usual wording of servers; not traced to one')`
    延迟
    延遲
  `,
]);

/** Words of a sentence that speaks of what may come: "if", "until". */
export const CONDITIONS = new PhraseList([
  group('de', 'usual wording of servers; not traced to one')`
    falls
    sobald
    sollte
    wenn
  `,
  group('en', 'Exim: Eventually the mail delivery software will give up; Sendmail: until message is 5 days old')`
    after <number> more
    eventually
    if
    once
    unless
    until
    up to
    when
  `,
  group('es', 'usual wording of servers; not traced to one')`
    si
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    lorsque
    si
  `,
  group('it', 'usual wording of servers; not traced to one')`
    se
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    если
  `,
]);

/** Sentences that are only said when a server has given up. */
export const FINAL_SENTENCES = new PhraseTable([
  group('any', 'usual wording of servers; not traced to one')`
    definitiv
  `,
  group('de', 'usual wording of servers; not traced to one')`
    (dauerhaft|permanent)(e|er|es) (fehler|problem)
    endgültig
    gebe ich auf
    ich gebe auf
    keine weiteren (versuche|zustellversuche)
  `,
  group('en', "Postfix, Exim, Sendmail, qmail, Exchange; flufl.bounce, Exim's test suite")`
    (abandoned|abandoning|stopped) (delivery|the|trying)
    (deleted|removed) from [the |this ][mail ]queue
    (failed|fails|rejected|undeliverable) (finally|permanently)
    (maximum|max) <4 words> (attempts|retries|time) <2 words> (exceeded|reached)
    delivery time[ ]expired
    failed after
    for good|
    gave up
    giv(en|ing) up
    has [been ]expired
    i give up
    in the queue too long
    message [has |is ]expired
    no (further|more) <2 words> (attempt|retr)
    no longer [be ](attempted|retried|retry|try)
    not (attempt|going to retry|going to try)
    permanent[ly] [delivery |fatal ](error|fail)
    queue[ ]expired
    retry time[out| limit] exceeded
    returned to [the ]sender
    returning (mail|message) to sender
    too old
    will not [be ](attempted|continue trying|retr|try)
    won't [be ](attempted|retr|try)
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    erreur permanente
    j'abandonne
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    最終
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    окончательн
    прекращ
  `,
]);
