import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Labels of the From field in a copied header. */
export const FROM_LABELS = new PhraseList([
  group('ar', 'Outlook: the copied header in this language')`
    من
  `,
  group('cs', 'Outlook: the copied header in this language')`
    od
  `,
  group('da', 'Outlook: the copied header in this language')`
    fra
  `,
  group('de', 'Outlook: the copied header in this language')`
    von
  `,
  group('en', 'Outlook: the copied header in this language')`
    from
  `,
  group('es', 'Outlook: the copied header in this language')`
    de
    remitente
  `,
  group('fi', 'Outlook: the copied header in this language')`
    lähettäjä
  `,
  group('fr', 'Outlook: the copied header in this language')`
    expéditeur
  `,
  group('he', 'Outlook: the copied header in this language')`
    מאת
  `,
  group('it', 'Outlook: the copied header in this language')`
    da
  `,
  group('ja', 'Outlook: the copied header in this language')`
    差出人
    送信者
  `,
  group('ko', 'Outlook: the copied header in this language')`
    보낸[ ]사람
  `,
  group('nl', 'Outlook: the copied header in this language')`
    van
  `,
  group('ru', 'Outlook: the copied header in this language')`
    кому
    от
  `,
  group('sv', 'Outlook: the copied header in this language')`
    från
  `,
  group('tr', 'Outlook: the copied header in this language')`
    gönderen
    kimden
  `,
  group('zh', 'Outlook: the copied header in this language')`
    发件人
    寄件人
    寄件者
  `,
]);

/** Labels of the other fields in a copied header: date, recipients and subject. */
export const HEADER_LABELS = new PhraseList([
  group('cs', 'Outlook: the copied header in this language')`
    komu
    odesláno
    předmět
  `,
  group('da', 'Outlook: the copied header in this language')`
    emne
    sendt
    til
  `,
  group('de', 'Outlook: the copied header in this language')`
    an
    betreff
    datum
    gesendet
  `,
  group('en', 'Outlook: the copied header in this language')`
    cc
    date
    reply-to
    sent
    subject
    to
  `,
  group('es', 'Outlook: the copied header in this language')`
    asunto
    enviado[ el]
    fecha
    para
  `,
  group('fr', 'Outlook: the copied header in this language')`
    date d'envoi
    envoyé
    objet
    à
  `,
  group('it', 'Outlook: the copied header in this language')`
    a
    data
    inviato
    oggetto
    risposta
  `,
  group('ja', 'Outlook: the copied header in this language')`
    件名
    宛先
    日時
    送信日時
  `,
  group('ko', 'Outlook: the copied header in this language')`
    받는[ ]사람
    보낸[ ]날짜
    제목
  `,
  group('nl', 'Outlook: the copied header in this language')`
    aan
    onderwerp
    verzonden
  `,
  group('pl', 'Outlook: the copied header in this language')`
    do
    temat
    wysłano
  `,
  group('pt', 'Outlook: the copied header in this language')`
    assunto
    enviada[ em]
  `,
  group('ru', 'Outlook: the copied header in this language')`
    дата
    отправлено
    тема
  `,
  group('sv', 'Outlook: the copied header in this language')`
    skickat
    till
    ämne
  `,
  group('tr', 'Outlook: the copied header in this language')`
    konu
    tarih
  `,
  group('zh', 'Outlook: the copied header in this language')`
    主旨
    主题
    发送时间
    寄件日期
    收件人
    收件者
  `,
]);
