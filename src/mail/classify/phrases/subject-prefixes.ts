import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Prefixes that email clients add to the subject of an answer or a forwarded message. */
export const ANSWER_PREFIXES = new PhraseList([
  group('any', 'RFC 5322 §3.6.5; Outlook, Apple Mail, Thunderbird, Gmail')`
    fw
    fwd
    re
  `,
  group('de', 'Outlook and Thunderbird: AW, WG; Lotus Notes: Antwort')`
    antw
    antwort
    aw
    wg
  `,
  group('es', 'Outlook')`
    rv
  `,
  group('fi', 'Outlook')`
    vs
  `,
  group('fr', 'Outlook: TR, RÉP; Lotus Notes: Réf')`
    ref
    rép
    tr
  `,
  group('he', 'Outlook')`
    רד
    תשובה
  `,
  group('id', 'Outlook')`
    bls
  `,
  group('it', 'Outlook: R, I; Lotus Notes: Rif')`
    i
    r
    rif
  `,
  group('ja', 'Outlook')`
    返信
  `,
  group('ko', 'Outlook')`
    전달
    회신
  `,
  group('nl', 'Outlook: Antw, Doorst')`
    doorst
  `,
  group('pl', 'Outlook')`
    odp
    pd
  `,
  group('pt', 'Outlook')`
    enc
    res
  `,
  group('ru', 'Mail.ru, Yandex, The Bat!')`
    отв
    ответ
    пересл
  `,
  group('sv', 'Outlook: SV; Lotus Notes: Ang')`
    ang
    sv
  `,
  group('tr', 'Outlook')`
    ilt
    ynt
  `,
  group('zh', 'Outlook, Foxmail, QQ')`
    回信
    回复
    回覆
    答复
    答覆
    轉寄
    转发
  `,
]);
