import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Words for the thing that may be full: mailbox, storage, quota. */
export const FULL_PLACES = new PhraseList([
  group('ar', 'usual wording of servers; not traced to one')`
    صندوق
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    schránk
  `,
  group('da', 'usual wording of servers; not traced to one')`
    indbakke
    postkasse
  `,
  group('de', 'usual wording of servers; not traced to one')`
    mailbox
    postfach
    speicher
  `,
  group('en', 'usual wording of servers; not traced to one')`
    inbox
    quota
  `,
  group('es', 'usual wording of servers; not traced to one')`
    buz(o|ó)n
    cuenta
  `,
  group('fi', 'usual wording of servers; not traced to one')`
    postilaatikko
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    bo(i|î)te
  `,
  group('he', 'usual wording of servers; not traced to one')`
    תיבת
  `,
  group('hu', 'usual wording of servers; not traced to one')`
    postafiók
  `,
  group('id', 'usual wording of servers; not traced to one')`
    kotak
  `,
  group('it', 'usual wording of servers; not traced to one')`
    casella
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    メールボックス
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    메일함
    사서함
    편지함
  `,
  group('nb', 'usual wording of servers; not traced to one')`
    innboks
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    skrzynk
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    caixa
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    căsuț
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    квот
    почт
    ящик
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    brevlåda
    inkorg
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    gelen kutusu
    posta kutusu
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    hộp thư
  `,
  group('zh', 'Coremail, NetEase 163, QQ; public mailing lists')`
    信箱
    容量
    空間
    空间
    邮箱
    郵箱
  `,
]);

/** "Full" and "exceeded". */
export const FULL = new PhraseList([
  group('ar', 'usual wording of servers; not traced to one')`
    ممتلئ
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    pln(a|á|ý)
    překročen
  `,
  group('da', 'usual wording of servers; not traced to one')`
    fuld|
  `,
  group('de', 'usual wording of servers; not traced to one')`
    erschöpft
    voll|
    überschritten
  `,
  group('en', 'usual wording of servers; not traced to one')`
    full|
  `,
  group('es', 'PHP-Bounce-Handler; usual wording of servers')`
    excedid
    llen(a|o)
    superad
  `,
  group('fi', 'usual wording of servers; not traced to one')`
    täynnä
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    dépassé
    plein[e]|
    saturé
  `,
  group('he', 'usual wording of servers; not traced to one')`
    מלאה
  `,
  group('hu', 'usual wording of servers; not traced to one')`
    megtelt
    tele|
  `,
  group('id', 'usual wording of servers; not traced to one')`
    penuh
  `,
  group('it', 'usual wording of servers; not traced to one')`
    piena
    superat
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    いっぱい
    オーバー
    満杯
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    가득
    초과
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    overschreden
    |vol|
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    pełna
    przekroczon
    przepełnion
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    cheia
    esgotad
    lotad
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    depășit
    plină
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    заполнен
    переполнен
    превыш
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    fylld
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    aşıldı
    dolmuş
    dolu|
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    закінч
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    đầy
  `,
  group('zh', 'Coremail, NetEase 163, QQ; public mailing lists')`
    不足
    满
    滿
    超出
    超过
    超過
  `,
]);
