import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Labels before a recipient's address in a notice. */
export const RECIPIENT_LABELS = new PhraseList([
  group('de', 'usual wording of servers; not traced to one')`
    empfänger[n|s]
  `,
  group('en', 'Sendmail, Exim, Exchange, GroupWise, Lotus Domino, Yahoo; BounceParser, flufl.bounce')`
    (a|the|this|your) (e[-]mail|mail|message)[ addressed| [that ]you sent] to
    [was ]addressed[ to][ email address][,]
    address[es]
    addressee[s]
    delivered to
    delivery to
    e[-]mail
    e[-]mail (account|address)
    intended for
    mailbox
    recipient[s]
    sent to
    undeliverable to
    user[s]
    userid
  `,
  group('es', 'usual wording of servers; not traced to one')`
    destinatari[o][s]
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    destinataire[s]
  `,
  group('it', 'usual wording of servers; not traced to one')`
    destinatari[o]
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    受信者
    宛先
  `,
  group('ru', 'Mail.ru, Yandex; flufl.bounce')`
    адресат[а|ам|ов|ом|у|ы]
    получател(е|ей|ем|и|ю|я|ям|ями|ях|ь)
  `,
  group('zh', 'Coremail, NetEase 163, QQ; public mailing lists')`
    (发|收)件人[邮件][地址]
    发往
    发送给
    寄往
    投递到
    收信人
    發送給
  `,
]);
