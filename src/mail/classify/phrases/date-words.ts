import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** "To" between the two days of a span. */
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
  group('de', 'usual wording')`
    [,] (bin|ist|sind|stehe|werde)|<20>(wieder|zuruck)
    [wieder ]da|
    [wieder ]zuruck
  `,
  group('en', 'usual wording')`
    back (at|in)
  `,
  group('fi', 'usual wording')`
    asti
    saakka
  `,
  group('hu', 'usual wording')`
    [-](an|e[i]n|ig|in)|
  `,
  group('ja', 'usual wording')`
    から出社
    に(出社|復帰|戻)
    まで
    より(出社|復帰)
    迄
  `,
  group('ko', 'usual wording')`
    까지
  `,
  group('tr', 'usual wording')`
    [\'][a|e|ta|te|ya|ye] [tarihine ]kadar
  `,
  group('zh', 'usual wording')`
    前不在
    回來
    回来
    返回
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
