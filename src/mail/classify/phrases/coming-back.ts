import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Words that only mean coming back. Other words may come between them and the day. */
export const COMING_BACK = new PhraseList([
  group('ar', 'usual wording')`
    ساعود
  `,
  group('bg', 'usual wording')`
    ще се върна
  `,
  group('cs', 'usual wording')`
    vracim se
    vratim se
    zpet
  `,
  group('da', 'usual wording')`
    tilbage
  `,
  group('de', 'usual wording')`
    ruckkehr
    wieder (da|erreichbar|im)
    zuruck
  `,
  group('el', 'usual wording')`
    επιστρεφω
    θα επιστρεψω
    πισω στο
  `,
  group('en', 'usual wording')`
    back
    return[ing|s]
  `,
  group('es', 'usual wording')`
    de vuelta
    estare disponible
    regresare
    regreso
    reincorporo
    volvere
    vuelvo
  `,
  group('fi', 'usual wording')`
    palaan
  `,
  group('fr', 'usual wording')`
    de retour
    rentrerai
    reviendrai
    reviens
  `,
  group('he', 'usual wording')`
    אחזור
    אשוב
    חוזר
    חוזרת
  `,
  group('hr', 'usual wording')`
    vracam
    vratim
  `,
  group('hu', 'usual wording')`
    elerheto
    munkaba allok
    vissza
    visszater[<letters>]
  `,
  group('it', 'usual wording')`
    rientrero
    rientro
    tornero
    torno
  `,
  group('nb', 'usual wording')`
    tilbake
  `,
  group('nl', 'usual wording')`
    terug
    weer (aanwezig|bereikbaar|op kantoor)
  `,
  group('pl', 'usual wording')`
    powrot
    wracam
    wroce
  `,
  group('pt', 'usual wording')`
    regressarei
    retornarei
    retorno
    voltarei
    volto
  `,
  group('ro', 'usual wording')`
    ma intorc
    revin
    voi reveni
  `,
  group('ru', 'usual wording')`
    вернусь
    возвращаюсь
    выйду
    выхожу
  `,
  group('sv', 'usual wording')`
    ater
    tillbaka
  `,
  group('tr', 'usual wording')`
    donecegim
    donus
    donuyorum
    yeniden ofiste
  `,
  group('uk', 'usual wording')`
    вийду
    повернусь
    повертаюсь
  `,
]);

/** "Until" and "back on", right before the day, in languages without spaces. */
export const UNTIL_CJK = new PhraseList([
  group('ja', 'usual wording')`
    復帰は
    復帰日[:|：]
    戻りは
    返
  `,
  group('ko', 'usual wording')`
    복귀[는|일|일은]
  `,
  group('zh', 'usual wording')`
    到
    回
    截至
    直到
    至
    返岗[:|：]
  `,
]);
