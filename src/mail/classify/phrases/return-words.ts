import { group, PhraseList } from '../../phrases/phrase-table.ts';

/**
 * Words right before the day on which somebody is back, or until which they are away. Without accents, like the texts that `plain` returns.
 */
export const UNTIL = new PhraseList([
  group('ar', 'usual wording')`
    العودة
    حتى
    ساعود
    ساكون متواجدا
  `,
  group('bg', 'usual wording')`
    връщам се
    до
    завръщам се
    ще се върна
  `,
  group('cs', 'usual wording')`
    (vracim|vratim) se
    do
    zpet
  `,
  group('da', 'usual wording')`
    med
    til
    tilbage
  `,
  group('de', 'usual wording')`
    ab
    bis
    einschlies[s]lich
    inklusive
    ruckkehr
    wieder
    zuruck
  `,
  group('el', 'usual wording')`
    επιστρεφω
    επιστροφη
    εως
    θα επιστρεψω
    μεχρι
  `,
  group('en', 'usual wording')`
    available[ again]
    back
    resum<letters>
    return date
    return[<letters>]
    through
    thru
    till
    until
  `,
  group('es', 'usual wording')`
    hasta
    regres[<letters>]
    reincorpor[<letters>]
    volver[<letters>]
    vuel[<letters>]
  `,
  group('fi', 'usual wording')`
    asti
    palaan
    saakka
    tavoitettavissa
    toissa
  `,
  group('fr', 'usual wording')`
    disponible
    inclus
    jusqu[']a[u]
    rentre[<letters>]
    reprise
    retour
  `,
  group('he', 'usual wording')`
    אחזור
    אשוב
    חוזר
    חוזרת
    עד
  `,
  group('hr', 'usual wording')`
    do
    od
    vracam se
    vratit cu se
  `,
  group('hu', 'usual wording')`
    eler(heto|heto leszek)
    hazaerk[<letters>]
    legkozelebb
    munkaba allok
    ujra
    vissza
    visszater[<letters>]
  `,
  group('it', 'usual wording')`
    al
    fino
    rientr[<letters>]
    torn[<letters>]
  `,
  group('nb', 'usual wording')`
    til
    tilbake
  `,
  group('nl', 'usual wording')`
    met
    t/m
    terug
    tot
    vanaf
    weer (aanwezig|bereikbaar)
  `,
  group('pl', 'usual wording')`
    dnia
    do
    powroc[<letters>]
    wracam
    wroce
  `,
  group('pt', 'usual wording')`
    a partir d(e|o)
    ate
    regress<letters>
    retorn<letters>
    volt<letters>
  `,
  group('ro', 'usual wording')`
    inapoi
    ma intorc
    pana
    pina
    revin
  `,
  group('ru', 'usual wording')`
    вернется
    вернусь
    возвращаюсь
    выйду
    до
    по
    с
  `,
  group('sv', 'usual wording')`
    ater
    fram till
    kontoret
    t o m
    till
    till och med
    tillbaka
    tom
  `,
  group('tr', 'usual wording')`
    kadar
  `,
]);

/** Words that may come between the words of UNTIL and the day. */
export const FILLERS = new PhraseList([
  group('any', 'usual wording')`
    per
  `,
  group('ar', 'usual wording')`
    العمل
    الى
    تاريخ
    في
    يوم
  `,
  group('bg', 'usual wording')`
    в
    на
  `,
  group('cs', 'usual wording')`
    na
    v
    vcetne
  `,
  group('da', 'usual wording')`
    den
    en
    med
    og
  `,
  group('de', 'usual wording')`
    am
    buro
    dem
    den
    der
    einschl
    einschlies[s]lich
    im
    ist
    kommenden
    mindestens
    mit
    nachsten
    und
    wieder
    zum
  `,
  group('el', 'usual wording')`
    και
    στις
    τη
    την
    τις
    το
  `,
  group('en', 'usual wording')`
    again
    and
    and including
    at
    coming
    desk
    from
    in
    incl
    including
    inclusive
    is
    least
    my
    next
    of
    office
    on
    the
    to
    week
    work
  `,
  group('es', 'usual wording')`
    de
    del
    dia
    el
    en
    es
    la
    lunes
    oficina
    proximo
    que viene
  `,
  group('fi', 'usual wording')`
    on
  `,
  group('fr', 'usual wording')`
    a
    au
    bureau
    des
    est
    et
    la
    le
    prochain
    sera
    travail
  `,
  group('it', 'usual wording')`
    a
    al
    da
    dal
    dia
    giorno
    il
    in
    lunedi
    nel
    per
    prossimo
    ufficio
  `,
  group('nl', 'usual wording')`
    aan
    aanstaande
    de
    en met
    het
    kantoor
    komende
    op
    tot
    werk
  `,
  group('pl', 'usual wording')`
    dnia
    do
    najblizszego
    od
    pracy
    w
  `,
  group('pt', 'usual wording')`
    a
    ao
    dia
    em
    escritorio
    no
    o
    proxima
    trabalho
  `,
  group('ro', 'usual wording')`
    birou
    data de
    din
    in
    la
    pe
  `,
  group('ru', 'usual wording')`
    в
    на
    работу
  `,
  group('sv', 'usual wording')`
    arbetet
    den
    i tjanst
    igen
    jobbet
    kontoret
    med
    nasta
    och
    pa
  `,
]);
