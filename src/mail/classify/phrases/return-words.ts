import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Words right before the day on which somebody is back, or until which they are away. Without accents, as `plain` makes texts. */
export const UNTIL = new PhraseList([
  group('cs', 'usual wording')`
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
    einschliesslich
    inklusive
    ruckkehr
    wieder
    zuruck
  `,
  group('el', 'usual wording')`
    εως
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
  `,
  group('fr', 'usual wording')`
    disponible
    inclus
    jusqu[']a[u]
    rentre[<letters>]
    reprise
    retour
  `,
  group('hu', 'usual wording')`
    hazaerk[<letters>]
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
    tilbake
  `,
  group('nl', 'usual wording')`
    met
    t/m
    terug
    tot
  `,
  group('pl', 'usual wording')`
    dnia
    do
    powroc[<letters>]
    wracam
    wroce
  `,
  group('pt', 'usual wording')`
    ate
    retorn<letters>
    volt<letters>
  `,
  group('ro', 'usual wording')`
    pana
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
    tillbaka
  `,
  group('tr', 'usual wording')`
    kadar
  `,
]);

/** Words that may stand between those and the day. */
export const FILLERS = new PhraseList([
  group('any', 'usual wording')`
    per
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
    einschliesslich
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
    την
    τις
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
  `,
  group('fi', 'usual wording')`
    on
  `,
  group('fr', 'usual wording')`
    a
    au
    bureau
    est
    et
    le
    sera
  `,
  group('it', 'usual wording')`
    al
    dia
    giorno
    il
    nel
    per
    ufficio
  `,
  group('nl', 'usual wording')`
    op
  `,
  group('pl', 'usual wording')`
    dnia
    od
  `,
  group('pt', 'usual wording')`
    em
    no
  `,
  group('ro', 'usual wording')`
    pe
  `,
  group('sv', 'usual wording')`
    och
    pa
  `,
]);
