import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** "To", between the two days of a span. */
export const TO = new PhraseList([
  group('any', 'usual wording')`
    -
    ~
    –
    —
    〜
  `,
  group('da', 'usual wording')`
    til
  `,
  group('de', 'usual wording')`
    bis
  `,
  group('en', 'usual wording')`
    and
    through
    thru
    till
    to
    until
  `,
  group('fr', 'usual wording')`
    a
    au
  `,
  group('it', 'usual wording')`
    al
  `,
  group('ja', 'usual wording')`
    から
  `,
  group('nl', 'usual wording')`
    t/m
    tot
  `,
  group('pl', 'usual wording')`
    do
  `,
  group('pt', 'usual wording')`
    ate
  `,
  group('ru', 'usual wording')`
    до
    и
    по
  `,
  group('zh', 'usual wording')`
    到
    至
  `,
]);

/** Words right after the day, in languages that put them there. */
export const AFTER_DATE = new PhraseList([
  group('ar', 'usual wording')`
    ساعود
  `,
  group('de', 'usual wording')`
    <20>wieder (da|erreichbar|im)
    [,] (bin|ist|sind|stehe|werde)|<20>(wieder|zuruck)
    [wieder ](da|erreichbar|im buro|im haus|zuruck)|
  `,
  group('en', 'usual wording')`
    back (at|in)
  `,
  group('fi', 'usual wording')`
    (jalkeen|klo <10>)[ ](olen|takaisin|tavoitettavissa)
    asti
    saakka
  `,
  group('hu', 'usual wording')`
    <10>(allok|elerheto|vissza)
    [-](an|e[i]n|ig|in|jen|jan|tol|en|on|an)|
  `,
  group('ja', 'usual wording')`
    から出社
    に(出社|復帰|戻)
    まで
    より(出社|復帰)
    迄
  `,
  group('ko', 'usual wording')`
    (부터|에)[ ]<6>(근무|복귀|출근)
    까지
  `,
  group('nl', 'usual wording')`
    <10>(terug|weer)|
  `,
  group('tr', 'usual wording')`
    [\'][a|e|ta|te|ya|ye] [gunu |tarihine ]kadar
    [gunu |tarihinde |tarihinden itibaren ]<10>(donecegim|donuyorum|ofiste|donus|yeniden)
  `,
  group('zh', 'usual wording')`
    前不在
    回來
    回来
    返回
  `,
]);

/** Words before a day that mark it as the last day of an absence. */
export const INCLUSIVE = new PhraseList([
  group('da', 'usual wording')`
    til og med
    tom
  `,
  group('de', 'usual wording')`
    bis (einschl|einschlies[s]lich|inkl|inklusive)
    bis und mit
    einschlies[s]lich
  `,
  group('en', 'usual wording')`
    through
    thru
    until and including
    up to and including
  `,
  group('es', 'usual wording')`
    hasta e inclusive
  `,
  group('fi', 'usual wording')`
    loppuun asti
  `,
  group('nl', 'usual wording')`
    t/m
    tot en met
  `,
  group('sv', 'usual wording')`
    t o m
    till och med
    tom
  `,
]);

/** Words after a day that mark it as the last day of an absence. */
export const INCLUSIVE_AFTER = new PhraseList([
  group('bg', 'usual wording')`
    включително
  `,
  group('cs', 'usual wording')`
    vcetne
  `,
  group('de', 'usual wording')`
    einschlies[s]lich
    inkl
    inklusive
  `,
  group('el', 'usual wording')`
    συμπεριλαμβανομεν
  `,
  group('en', 'usual wording')`
    incl
    included
    inclusive
  `,
  group('es', 'usual wording')`
    incluido
    inclusive
  `,
  group('fr', 'usual wording')`
    inclus
    inclusivement
  `,
  group('hr', 'usual wording')`
    ukljucivo
  `,
  group('hu', 'usual wording')`
    bezarolag
  `,
  group('it', 'usual wording')`
    compreso
    incluso
  `,
  group('pl', 'usual wording')`
    wlacznie
  `,
  group('pt', 'usual wording')`
    inclusive
  `,
  group('ro', 'usual wording')`
    inclusiv
  `,
  group('ru', 'usual wording')`
    включительно
  `,
  group('sk', 'usual wording')`
    vratane
  `,
  group('tr', 'usual wording')`
    dahil
  `,
  group('uk', 'usual wording')`
    включно
  `,
]);

/** "Next week". */
export const NEXT_WEEK = new PhraseList([
  group('cs', 'usual wording')`
    pristi tyden
  `,
  group('da', 'usual wording')`
    n(ae|æ)ste uge
  `,
  group('de', 'usual wording')`
    (kommende|nachste)[n|r] woche
  `,
  group('en', 'usual wording')`
    next week
  `,
  group('es', 'usual wording')`
    [la ](proxima|semana que) (semana|vem|viene)
  `,
  group('fi', 'usual wording')`
    ensi viikolla
  `,
  group('fr', 'usual wording')`
    [la ]semaine prochaine
  `,
  group('it', 'usual wording')`
    [la ]prossima settimana
    settimana prossima
  `,
  group('ja', 'usual wording')`
    来週
  `,
  group('ko', 'usual wording')`
    다음[ ]주
  `,
  group('nb', 'usual wording')`
    neste uke
  `,
  group('nl', 'usual wording')`
    volgende week
  `,
  group('pl', 'usual wording')`
    w przyszlym tygodniu
  `,
  group('ru', 'usual wording')`
    на следующей неделе
  `,
  group('sv', 'usual wording')`
    nasta vecka
  `,
  group('zh', 'usual wording')`
    下周
    下星期
    下週
  `,
]);
