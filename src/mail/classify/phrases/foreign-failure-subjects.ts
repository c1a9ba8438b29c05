import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Subjects of notices that a message was not delivered, in languages other than English. */
export const FOREIGN_FAILURE_SUBJECTS = new PhraseTable([
  group('ar', 'usual wording of servers; not traced to one')`
    تعذر التسليم
    تعذر تسليم
    غير قابل للتسليم
  `,
  group('bg', 'Exchange: "Undeliverable" in this language')`
    не може да бъде доставен
    недоставено
    недоставим
  `,
  group('ca', 'Exchange: "Undeliverable" in this language')`
    no es pot lliurar
    no s'ha pogut lliurar
  `,
  group('cs', 'Exchange: Nedoručitelné')`
    doručení <20>selhalo
    ne(byla|byl|bylo) doručen
    nedoručen
    nedoručiteln
    nelze doručit
    nelze odeslat
  `,
  group('da', 'Exchange in Danish and Norwegian: Kan ikke leveres')`
    ikke[-| ]levere
    levering mislykkedes
  `,
  group('de', 'Exchange: Unzustellbar; usual wording of servers')`
    (unzustellbare|zurückgewiesene|zurückgesendete) (e[-]mail|mail|nachricht)
    fehler(bericht|meldung)|
    konnte nicht <20>(gesendet|zugestellt)
    rückgabe ihrer (e[-]mail|nachricht)
    unzustellbar
    zustellung<30>(fehlgeschlagen|gescheitert|nicht)
    zustellungsfehler
    |nicht zustellbar|
    übermittlungsfehler
  `,
  group('el', 'usual wording of servers; not traced to one')`
    αδυναμία παράδοσης
    αποτυχία (αποστολής|παράδοσης)
    δεν (ήταν δυνατή|παραδόθηκε)
    δεν είναι δυνατή η παράδοση
    μη παραδοτέο
  `,
  group('es', 'Exchange: No se puede entregar; usual wording of servers')`
    devuelto
    error (de|en la) entrega
    fallo (de|en la) entrega
    imposible entregar
    mensaje <30>no (entregad|pudo)
    no entregad
    no es posible entregar
    no se [ha ](podido|pudo|puede) (entregar|enviar)
    no se entreg(ó|o)
  `,
  group('et', 'Exchange: "Undeliverable" in this language')`
    ei saa kohale toimetada
    kohaletoimetamatu
  `,
  group('fi', 'Exchange: Ei voi toimittaa')`
    ei voi[tu] toimittaa
    ei voida toimittaa
    toimitta(minen|mat) <20>(ei onnistunut|epäonnistui)
    toimittamaton
    toimitus epäonnistui
  `,
  group('fr', 'Exchange: Non remis; flufl.bounce; usual wording of servers')`
    (avis|notification) d'échec
    (echec|impossible|non distribu|non<1>remis|échec)<40>(distribution|envoi|livraison|message|remis)
    (erreur|problème) (de|lors de) (distribution|la remise|livraison|remise)
    avis de non
    impossible de (distribuer|délivrer|livrer|remettre|transmettre)
    message non (délivré|remis|transmis)
    non d(e|é)livr(e|é)
    non distribu(e|é)
    non remis
    remise impossible
  `,
  group('he', 'usual wording of servers; not traced to one')`
    לא ניתן למסירה
    לא נמסר
  `,
  group('hr', 'Exchange: "Undeliverable" in this language')`
    neisporuč
    nije moguće isporučiti
  `,
  group('hu', 'Exchange: Kézbesíthetetlen')`
    kézbesíthetetlen
    kézbesítés[e] sikertelen
    nem kézbesít
    sikertelen (kézbesítés|küldés)
  `,
  group('id', 'usual wording of servers; not traced to one')`
    tidak [dapat ]terkirim
    tidak dapat (dikirim|disampaikan)
  `,
  group('it', 'Exchange: Non recapitabile; usual wording of servers')`
    (errore|fallimento) (di|nella) consegna
    impossibile (consegnare|recapitare)
    mancat(a|o) (consegna|recapito)
    non [è stato ][possibile ](consegnat|recapitat)o
    non recapitabile
    recapito non riuscito
  `,
  group('ja', 'Exchange: 配信不能; providers of Japan')`
    (エラー|不達)通知
    エラーメール
    届きません
    未送達
    送信(エラー|失敗)
    送信できません
    送信に失敗
    配信(されません|に失敗)
    配信(できません|エラー|不能|失敗)
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    (발송|전송)[ ]실패
    반송
    배달(되지|[ ]못|[ ]실패)
    배달할 수 없
    보내지[ ]못
    전송되지 못
  `,
  group('lt', 'Exchange: "Undeliverable" in this language')`
    nepristat
  `,
  group('lv', 'Exchange: "Undeliverable" in this language')`
    nav piegād
    nepiegād
  `,
  group('nb', 'Exchange: "Undeliverable" in this language')`
    ikke levert
    levering mislyktes
  `,
  group('nl', 'Exchange: Onbestelbaar; usual wording of servers')`
    (bezorging|levering|verzending) <20>mislukt
    kan niet [worden ](afgeleverd|bezorgd)
    niet (afgeleverd|bezorgd)
    niet bestelbaar
    niet te bezorgen
    onbestelbaar
  `,
  group('pl', 'Exchange: Niedostarczalne')`
    (wiadomość|poczta) <20>niedoręczon
    dostarczenie <20>nie powiodło
    nie (można|udało)<20>(doręczyć|dostarczyć)
    nie dostarczono
    niedostarczaln
    niedostarczon
    zwrot (e[-]maila|poczty|wiadomości)
  `,
  group('pt', 'Exchange: Não é possível entregar; usual wording of servers')`
    devolvid
    erro (de|na) entrega
    falha (de|na) entrega
    imposs(i|í)vel entregar
    não [foi ]entreg
    não foi poss(i|í)vel entregar
    não é possível entregar
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    imposibil de livrat
    livrare <20>eșuat
    nelivrabil
    nelivrat
    nu a putut fi livrat
  `,
  group('ru', 'Exchange: Недоставлено; Mail.ru, Yandex; flufl.bounce')`
    возврат (письма|почты)
    не доставлен
    не может быть доставлен
    не удается доставить
    не удалось доставить
    невозможно доставить
    недоставлен
    ошибка доставки
    сбой доставки
  `,
  group('sk', 'Exchange: Nedoručiteľné')`
    nedoruč
    nepodarilo <20>doručiť
  `,
  group('sl', 'Exchange: "Undeliverable" in this language')`
    nedostavljivo
    ni mogoče dostaviti
  `,
  group('sr', 'Exchange: "Undeliverable" in this language')`
    neisporučivo
  `,
  group('sv', 'Exchange: Olevererbart; bounce_email')`
    (gick|kan|kunde) inte [att ]leverera
    inte levereras
    leverans<20>misslyckades
    olevererbar
  `,
  group('th', 'Exchange: "Undeliverable" in this language')`
    ไม่สามารถส่ง
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    gönderilemedi
    iletilemedi
    iletilemeyen
    teslim <20>(edilemey|edilemi|başarısız)
    teslim edil[e]me
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    не вдалося доставити
    не доставлен
    недоставлен
    неможливо доставити
    повернення (листа|пошти)
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    không gửi được
    không thể (chuyển|gửi)
  `,
  group('zh', 'Exchange: 无法投递; Coremail, NetEase 163, QQ: 退信; public mailing lists')`
    传输失败
    傳遞失敗
    发送失败
    寄送失敗
    投递不成功
    投递失败
    投遞失敗
    无法(发送|送达|递送)
    无法传递
    无法投递
    未送达
    無法傳(送|遞)
    無法投遞
    無法遞送
    被退回
    退件
    退信
    邮件被退
  `,
]);
