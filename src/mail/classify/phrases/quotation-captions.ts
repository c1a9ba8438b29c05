import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Captions between dashes above a quoted or forwarded message. */
export const QUOTE_CAPTIONS = new PhraseList([
  group('cs', 'Outlook: "Original Message" in this language')`
    původní zpráva
  `,
  group('da', 'Outlook: "Original Message" in this language')`
    oprindelig meddelelse
  `,
  group('de', 'Outlook: "Original Message" in this language')`
    originalnachricht
    ursprüngliche nachricht
    weitergeleitete nachricht
  `,
  group('en', 'Outlook, Apple Mail, Gmail, Lotus Notes; email_reply_trimmer')`
    (forwarded|reply|reply to) message
    begin forwarded message
    on <150>
    original appointment
    original[ ]message
  `,
  group('es', 'Outlook: "Original Message" in this language')`
    mensaje (original|reenviado)
  `,
  group('fi', 'Outlook: "Original Message" in this language')`
    alkuperäinen viesti
  `,
  group('fr', 'Outlook: "Original Message" in this language')`
    message (d'origine|initial|original|transféré)
  `,
  group('it', 'Outlook: "Original Message" in this language')`
    messaggio (inoltrato|originale)
  `,
  group('ja', 'Outlook: "Original Message" in this language')`
    元のメッセージ
    転送メッセージ
  `,
  group('ko', 'Outlook: "Original Message" in this language')`
    원본 (메시지|메일)
  `,
  group('nb', 'Outlook: "Original Message" in this language')`
    opprinnelig melding
  `,
  group('nl', 'Outlook: "Original Message" in this language')`
    doorgestuurd bericht
    oorspronkelijk bericht
  `,
  group('pl', 'Outlook: "Original Message" in this language')`
    [oryginalna ]wiadomość[ oryginalna| przekazana]
  `,
  group('pt', 'Outlook: "Original Message" in this language')`
    mensagem (encaminhada|original)
  `,
  group('ru', 'Outlook: "Original Message" in this language')`
    (исходное|оригинальное|пересылаемое) сообщение
  `,
  group('sv', 'Outlook: "Original Message" in this language')`
    ursprungligt meddelande
  `,
  group('tr', 'Outlook: "Original Message" in this language')`
    orijinal (ileti|mesaj)
  `,
  group('vi', 'Outlook: "Original Message" in this language')`
    tin nhắn gốc
  `,
  group('zh', 'Outlook: "Original Message" in this language')`
    原始邮件
    原始郵件
    轉寄郵件
    转发邮件
  `,
]);
