import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "Message" and the like, at the start of the subject. */
export const MAIL = new PhraseList([
  group('en', 'the servers of FAILURE_SUBJECTS')`
    e[-]mail
    mail
    message
    your e[-]mail
    your mail
    your message
  `,
]);

/** "Failed" and the like, after "delivery". */
export const FAILED = new PhraseList([
  group('en', 'the servers of FAILURE_SUBJECTS')`
    error
    fail
    has failed
    incident
    notification
    problem
    report
    status
    unsuccessful
  `,
]);

/** Subjects of notices that a message was not delivered. They are tried after the tags of lists and gateways are removed. */
export const FAILURE_SUBJECTS = new PhraseTable(
  [
    group('ar', 'usual wording of servers; not traced to one')`
      تعذر التسليم
      تعذر تسليم
    `,
    group('cs', 'Exchange: Nedoručitelné')`
      nedoručen
      nedoručiteln
      nelze doručit
    `,
    group('da', 'Exchange in Danish and Norwegian: Kan ikke leveres')`
      ikke leveret
      kan[ne|not][ ]ikke leveres
      kunne ikke leveres
    `,
    group('de', 'Exchange: Unzustellbar; usual wording of servers')`
      unzustellbar
      zustellung<30>(fehlgeschlagen|gescheitert|nicht)
      |nicht zustellbar|
    `,
    group('el', 'usual wording of servers; not traced to one')`
      αδυναμία παράδοσης
      δεν (ήταν δυνατή|παραδόθηκε)
    `,
    group('en', 'qmail, Yahoo: failure notice; Exchange, Lotus Notes: NDN, NDR; flufl.bounce')`
      ^automatically rejected
      ^could not (deliver|send)
      ^failed mail
      ^failed to deliver
      ^failure (delivery|notice)
      ^ndn|
      ^ndr|
      ^non[ |-]deliver(able|ed|y)
      ^not delivered
      ^rejected
    `,
    group('en', "Exim: Mail delivery failed; Postfix: Delivery Status; Sendmail, IMail, GroupWise; flufl.bounce, Exim's test suite")`
      ^(e[-]mail|mail|message)[ system] (bounced|could not|error|fail|not delivered|rejected|returned|undeliver|was not delivered)
      ^(e[-]mail|mail|message)[ system] status[ ][-][ ]undeliver
      ^[<mail>][ |-|:][ |-|:][ |-|:][system ]deliver(e|ey|y)[ |-][ |-][ |-]<failed>
      ^[<mail>][ |-|:][ |-|:][ |-|:][system ]delivery [sub]system[ |-][ |-][ |-]<failed>
    `,
    group(
      'en',
      'Sendmail: Returned mail; Postfix: Undelivered Mail; Exchange: Undeliverable; Gmail: Delivery Status Notification; BounceParser',
    )`
      |address not found|
      |bounce[d] (e[-]mail|mail|message)|
      |cannot be delivered|
      |could not be delivered|
      |delivery (error|failed|failure|problem)|
      |delivery status notification|
      |mail delivery (failed|failure|problem|system)|
      |mailbox [is ](full|over quota|unavailable)|
      |message (could not be delivered|delivery failure|not delivered|undeliverable)|
      |nondeliverable|
      |return to sender|
      |returned (e[-]mail|mail|message|to sender)|
      |returning message to sender|
      |unable to deliver|
      |undeliverable|
      |undeliverd|
      |undelivered|
      |unknown user|
      |user unknown|
      |was not delivered|
    `,
    group('es', 'Exchange: No se puede entregar; usual wording of servers')`
      devuelto
      error (de|en la) entrega
      no entregad
      no es posible entregar
      no se [ha ](podido|pudo|puede) (entregar|enviar)
    `,
    group('fi', 'Exchange: Ei voi toimittaa')`
      ei voi[tu] toimittaa
      toimitus epäonnistui
    `,
    group('fr', 'Exchange: Non remis; flufl.bounce; usual wording of servers')`
      (echec|impossible|non distribu|non<1>remis|échec)<40>(distribution|envoi|livraison|message|remis)
      avis de non
      impossible de (distribuer|délivrer|livrer|remettre|transmettre)
      non remis
      remise impossible
    `,
    group('he', 'usual wording of servers; not traced to one')`
      לא ניתן למסירה
      לא נמסר
    `,
    group('hu', 'Exchange: Kézbesíthetetlen')`
      kézbesíthetetlen
      kézbesítés[e] sikertelen
      nem kézbesíthető
    `,
    group('id', 'usual wording of servers; not traced to one')`
      tidak [dapat ]terkirim
    `,
    group('it', 'Exchange: Non recapitabile; usual wording of servers')`
      impossibile (consegnare|recapitare)
      mancat(a|o) (consegna|recapito)
      non [è stato ][possibile ](consegnat|recapitat)o
      non recapitabile
    `,
    group('ja', 'Exchange: 配信不能; providers of Japan')`
      エラーメール
      未送達
      送信(エラー|失敗)
      送信できません
      配信(できません|エラー|不能|失敗)
    `,
    group('ko', 'usual wording of servers; not traced to one')`
      (발송|전송)[ ]실패
      반송
      배달(되지|[ ]못|[ ]실패)
      보내지[ ]못
    `,
    group('nl', 'Exchange: Onbestelbaar; usual wording of servers')`
      kan niet [worden ](afgeleverd|bezorgd)
      niet bestelbaar
      onbestelbaar
    `,
    group('pl', 'Exchange: Niedostarczalne')`
      nie (można|udało)<20>(doręczyć|dostarczyć)
      niedostarczaln
      niedostarczon
    `,
    group('pt', 'Exchange: Não é possível entregar; usual wording of servers')`
      devolvid
      falha (de|na) entrega
      não [foi ]entreg
      não é possível entregar
    `,
    group('ro', 'usual wording of servers; not traced to one')`
      nelivrat
      nu a putut fi livrat
    `,
    group('ru', 'Exchange: Недоставлено; Mail.ru, Yandex; flufl.bounce')`
      не доставлен
      не удалось доставить
      невозможно доставить
      недоставлен
      ошибка доставки
    `,
    group('sk', 'Exchange: Nedoručiteľné')`
      nedoručiteľn
    `,
    group('sv', 'Exchange: Olevererbart; bounce_email')`
      (gick|kan|kunde) inte [att ]leverera
      olevererbar
    `,
    group('tr', 'usual wording of servers; not traced to one')`
      iletilemedi
      teslim edil[e]me
    `,
    group('uk', 'usual wording of servers; not traced to one')`
      не вдалося доставити
      неможливо доставити
    `,
    group('vi', 'usual wording of servers; not traced to one')`
      không gửi được
    `,
    group('zh', 'Exchange: 无法投递; Coremail, NetEase 163, QQ: 退信; public mailing lists')`
      传输失败
      发送失败
      投递失败
      投遞失敗
      无法投递
      无法送达
      未送达
      無法投遞
      退信
    `,
  ],
  { mail: MAIL, failed: FAILED },
);
