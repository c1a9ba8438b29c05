import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** "Please" before the request. */
export const PLEASE = new PhraseList([
  group('de', 'usual wording')`
    bitte
    gerne
  `,
  group('en', 'usual wording')`
    please
    pls
  `,
  group('es', 'usual wording')`
    por favor
  `,
  group('fr', 'usual wording')`
    s'il (te|vous) pla(i|î)t
    svp
  `,
  group('it', 'usual wording')`
    per favore
  `,
  group('ja', 'usual wording')`
    どうか
  `,
  group('nl', 'usual wording')`
    a.u.b.
    alstublieft
    graag
  `,
  group('pl', 'usual wording')`
    proszę
  `,
  group('ru', 'usual wording')`
    пожалуйста
  `,
  group('tr', 'usual wording')`
    lütfen
  `,
  group('zh', 'usual wording')`
    請
    请
  `,
]);

/** "Thank you" and the like, after the request. */
export const THANKS = new PhraseList([
  group('de', 'usual wording')`
    bitte
    danke
  `,
  group('en', 'usual wording')`
    from[ (the|this|your)] [e[-]mail |mailing ]list
    me
    please
    pls
    thank you
    thank[s]
    this
  `,
  group('es', 'usual wording')`
    gracias
  `,
  group('fr', 'usual wording')`
    merci
  `,
  group('it', 'usual wording')`
    grazie
  `,
  group('nl', 'usual wording')`
    dank
  `,
  group('pl', 'usual wording')`
    dziękuję
  `,
  group('ru', 'usual wording')`
    спасибо
  `,
  group('sv', 'usual wording')`
    tack
  `,
]);

/** Start of an instruction to the reader, as in a footer: "click". */
export const INSTRUCTION_OPENINGS = new PhraseList([
  group('de', 'footers of newsletters')`
    um sich
  `,
  group('en', 'footers of newsletters')`
    click
    if you
    you (can|may)
  `,
  group('es', 'footers of newsletters')`
    para [se ]
  `,
  group('fr', 'footers of newsletters')`
    pour (se|vous)
  `,
]);

/** The action in such an instruction. */
export const INSTRUCTIONS = new PhraseList([
  group('de', 'footers of newsletters')`
    abzumelden
  `,
  group('en', 'footers of newsletters')`
    be removed
    opt[ |-]out
    stop receiving
    unsubscribe
  `,
  group('es', 'footers of newsletters')`
    darse de baja
  `,
  group('fr', 'footers of newsletters')`
    désabonner
    désinscrire
  `,
]);
