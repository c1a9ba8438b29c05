import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** "Wrote", the end of the line with which email clients introduce a quotation. */
export const WROTE = new PhraseList([
  group('ar', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    كتب
  `,
  group('cs', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    napsal
    napsal\(a\)
  `,
  group('da', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    følgende
    skrev
  `,
  group('de', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    schreibt
    schrieb
  `,
  group('el', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    έγραψε
  `,
  group('en', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    writes
    wrote
  `,
  group('es', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    escribio
    escribió
  `,
  group('fi', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    kirjoitti
  `,
  group('fr', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    a ecrit
    a écrit
    écrivait
  `,
  group('he', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    כתב
  `,
  group('hu', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    írta
  `,
  group('id', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    menulis
  `,
  group('it', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    ha scritto
    scrive
  `,
  group('ja', 'Becky!, Outlook; public mailing lists')`
    さんは書きました
    のメール
  `,
  group('ko', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    님이 작성
    작성
  `,
  group('nl', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    geschreven
    het volgende geschreven
    schreef
  `,
  group('pl', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    napisal
    napisał
    napisał\(a\)
  `,
  group('pt', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    escreveu
  `,
  group('ro', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    a scris
  `,
  group('ru', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    написал
    пишет
  `,
  group('sk', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    napísal
  `,
  group('tr', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    yazdı
    şunu yazdı
  `,
  group('uk', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    написав
    пише
  `,
  group('vi', 'Outlook, Apple Mail, Thunderbird, Gmail')`
    đã viết
  `,
  group('zh', 'Outlook, Foxmail, QQ; public mailing lists')`
    写道
    寫道
  `,
]);

/** The first word of such a line: "On", or a weekday. */
export const ON = new PhraseList([
  group('cs', 'Apple Mail, Thunderbird, Gmail')`
    dne
  `,
  group('da', 'Apple Mail, Thunderbird, Gmail')`
    den
  `,
  group('de', 'Apple Mail, Thunderbird, Gmail')`
    am
  `,
  group('en', 'Apple Mail, Thunderbird, Gmail')`
    at
    on
  `,
  group('es', 'Apple Mail, Thunderbird, Gmail')`
    el
  `,
  group('fr', 'Apple Mail, Thunderbird, Gmail')`
    le
  `,
  group('it', 'Apple Mail, Thunderbird, Gmail')`
    il
  `,
  group('nl', 'Apple Mail, Thunderbird, Gmail')`
    op
  `,
  group('pl', 'Apple Mail, Thunderbird, Gmail')`
    dnia
    w dniu
  `,
  group('pt', 'Apple Mail, Thunderbird, Gmail')`
    em
  `,
  group('ru', 'Apple Mail, Thunderbird, The Bat!, Mail.ru: weekdays')`
    в
    воскресенье
    вс
    вт
    вторник
    на
    пн
    понедельник
    пт
    пятница
    сб
    ср
    среда
    суббота
    четверг
    чт
  `,
  group('sv', 'Apple Mail, Thunderbird, Gmail')`
    kl
    på
  `,
  group('zh', 'Apple Mail, Thunderbird, Gmail')`
    在
    於
  `,
]);
