import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** First words of the signature that a device adds: "Sent from my …". */
export const SENT_FROM = new PhraseList([
  group('da', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    sendt|
  `,
  group('de', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    gesendet|
    von meinem|
  `,
  group('en', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    sent|
  `,
  group('es', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    enviado|
  `,
  group('fr', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    envoyé|
  `,
  group('it', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    inviato|
  `,
  group('nl', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    verstuurd|
    verzonden|
  `,
  group('pl', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    wysłane|
    wysłano|
  `,
  group('ru', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    отправлено|
    получи
  `,
  group('sv', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    skickat|
  `,
  group('tr', 'iOS, Android and Outlook: "Sent from my …" in this language; email_reply_trimmer')`
    gönderildi|
  `,
]);

/** Devices and email clients that such a signature names. */
export const DEVICES = new PhraseList([
  group('any', 'makers of devices and email clients; email_reply_trimmer')`
    android
    blackberry
    from
    galaxy
    handy
    huawei
    ipad
    iphone
    mail
    mobil
    outlook
    phone
    samsung
    smartphone
    telefon
    xiaomi
    yahoo
  `,
]);

/** Lines that a device or an email client adds below a message. */
export const SIGNATURES = new PhraseTable([
  group('en', 'Outlook for iOS and Android')`
    ^get outlook for <40>$
  `,
  group('ja', 'iOS: "Sent from my iPhone" in this language')`
    ^iphoneから<40>$
  `,
  group('ko', 'iOS: "Sent from my iPhone" in this language')`
    ^내 iphone<40>$
  `,
  group('zh', 'iOS: "Sent from my iPhone" in this language')`
    ^从我的<40>$
    ^发自我的<40>$
    ^從我的<40>$
  `,
]);

/** First words of a line that a list server or a provider adds below every message. */
export const FOOTERS = new PhraseTable([
  group('en', 'Mailman, Google Groups, Discourse, Nabble')`
    ^to unsubscribe|
    ^to view this discussion|
    ^visit this topic|
    ^you (are|have) receiv<letters> this|
  `,
]);
