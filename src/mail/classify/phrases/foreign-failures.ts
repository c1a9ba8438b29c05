import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Sentences in which a server says that a message was not delivered, in languages other than English. */
export const FOREIGN_FAILURE_SENTENCES = new PhraseTable([
  group('ar', 'usual wording of servers; not traced to one')`
    تعذر (إرسال|التسليم|تسليم)
  `,
  group('bg', 'Exchange in this language; usual wording of servers')`
    не (бе|беше) доставен
    не можа да бъде доставен
    неуспешна доставка
  `,
  group('ca', 'Exchange in this language; usual wording of servers')`
    no s'ha pogut (entregar|lliurar)
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    (nebud|nebyl|nemohl)<letters> <20>(doruč|odesl)
    doručení <60>(nezdařilo|neúspěšné)
    doručení <60>selhalo
    nedoručen
    nelze doručit
    nepodařilo [se ](doruč|odesl)
  `,
  group('da', 'usual wording of servers; not traced to one')`
    blev ikke leveret
    kunne ikke (afleveres|sendes)
    kunne ikke leveres
    levering til <60>mislykkedes
    leveringe[n] mislykkedes
    leveringen <30>mislykkedes
  `,
  group('de', 'Exchange; GMX, WEB.DE; kumomta')`
    (fehler bei|problem bei) der (nachrichtenzustellung|zustellung)
    (permanenter|dauerhafter) fehler
    konnte ich <60>nicht <40>(ausliefern|zustellen)
    konnte<60>nicht<60>(gesendet|zugestellt)
    nicht (ausgeliefert|erreicht|zugestellt|zustellbar|übermittelt)
    nicht <20>(ausgeliefert|zugestellt) werden
    schlug<letters> fehl
    unzustellbar
    zustellung<40>(fehlgeschlagen|nicht)
  `,
  group('el', 'usual wording of servers; not traced to one')`
    αποτυχία παράδοσης
    δεν (ήταν δυνατή|μπόρεσε|παραδόθηκε)
    η παράδοση απέτυχε
  `,
  group('es', 'Exchange, Lotus Domino; PHP-Bounce-Handler')`
    entrega <40>(fallida|ha fallado|falló)
    error de entrega
    fallo en la entrega
    no (fue|ha sido) entregad
    no (ha podido|pudo) [ser ](entregad|enviad)
    no [se ][ha ](podido|pudo|puede)<30>(entregar|enviar|ser entregad)
    no se ha entregado
  `,
  group('et', 'Exchange in this language; usual wording of servers')`
    ei saanud kohale toimetada
    kohaletoimetamine <40>(ebaõnnestus|nurjus)
  `,
  group('fi', 'usual wording of servers; not traced to one')`
    ei (voi|voitu) toimittaa
    ei toimitettu
    toimittaminen <60>epäonnistui
    toimitus <80>epäonnistui
  `,
  group('fr', 'Exchange; flufl.bounce')`
    (remise|distribution) <40>a échoué
    erreur permanente
    impossible de (distribuer|délivrer|livrer|remettre)
    impossible de transmettre
    n'a [pas ](pas|pu)<40>(distribu|délivr|envoy|livr|remis|être)
    n'est pas parvenu
    ne peut<30>[être ](distribu|délivr|remis)
    non remis
    pas pouvoir (délivrer|remettre)
    échec d
  `,
  group('he', 'usual wording of servers; not traced to one')`
    המסירה נכשלה
    לא (הייתה אפשרות|נמסרה|ניתן היה)
    לא ניתן למסור
  `,
  group('hr', 'Exchange in this language; usual wording of servers')`
    isporuka <60>nije uspjela
    nije <20>isporučen
  `,
  group('hu', 'usual wording of servers; not traced to one')`
    kézbesítés <80>(meghiúsult|sikertelen)
    nem (lehetett|sikerült|tudtuk)<40>kézbesít
  `,
  group('id', 'usual wording of servers; not traced to one')`
    gagal (dikirim|terkirim)
    tidak (bisa|dapat) (dikirim|terkirim)
  `,
  group('it', 'usual wording of servers; not traced to one')`
    consegna <40>(fallita|non riuscita)
    impossibile (consegnare|inviare|recapitare)
    non (sono stat(e|i)|è stat(a|o)) (consegnat|recapitat)
    non (è|è stato) [possibile ](consegn|recapit)
    non è stato possibile
    recapito <40>non riuscito
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    (届|とど)きませんでした
    お届けできません
    エラー<20>(戻|返)
    届けることができません
    戻ってきました
    送信(されません|できません)
    送信に失敗
    配信(されません|できません|不能)
    配信に失敗
    配送できませんでした
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    (발송|전달|전송)(되지|하지|할 수)
    (발송|전송)[ ]실패
    배달(되지|할 수)
    배달하지 못
    보내지[ ]못
    없는 (계정|사용자)
  `,
  group('lt', 'Exchange in this language; usual wording of servers')`
    nebuvo pristatyt
    nepavyko pristatyti
  `,
  group('lv', 'Exchange in this language; usual wording of servers')`
    neizdevās piegādāt
    netika piegādāt
  `,
  group('nb', 'usual wording of servers; not traced to one')`
    ble ikke levert
    kunne ikke leveres
    levering[en] [til <60>]mislyktes
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    bezorging <40>mislukt
    kan niet worden
    kon niet <40>(afgeleverd|bezorgd|verzonden)
    niet (afgeleverd|bezorgd)
    niet worden (afgeleverd|bezorgd)
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    dostarczenie <80>nie powiodło
    nie (może|można|mógł|udało|został)<30>(doręcz|dostarcz)
    nie (powiodło|udało)<60>(doręcz|dostarcz)
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    erro na entrega
    falha (ao|de|na)
    não (foi|pode|puderam|pôde)<40>entreg
    não foi possível
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    livrarea <40>eșuat
    livrarea <40>nu a reușit
    nu a fost livrat
    nu a putut fi livrat
  `,
  group('ru', 'Mail.ru, Yandex; flufl.bounce')`
    доставка <60>не удалась
    не (было|может|смогли|удалось)<40>достав
    не доставлен
    не может <10>быть <10>отправлен
    не удается доставить
    не удалось отправить
    невозможно доставить
    недоставлен
    сбой доставки
  `,
  group('sk', 'usual wording of servers; not traced to one')`
    nepodarilo [sa ]doruč
  `,
  group('sl', 'Exchange in this language; usual wording of servers')`
    dostava <60>ni uspela
    ni bilo mogoče dostaviti
  `,
  group('sr', 'Exchange in this language; usual wording of servers')`
    isporuka <60>nije uspela
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    gick inte att leverera
    inte [kunde ]levereras
    kunde inte (nå|skickas)
    leverans<80>misslyckades
  `,
  group('th', 'Exchange in this language; usual wording of servers')`
    การส่ง<40>ล้มเหลว
    ไม่สามารถ(จัดส่ง|ส่ง)
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    (adresine|alıcısına) <20>(gönderilem|iletilem)
    gönderilemedi
    iletilemedi
    teslim edilem
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    доставка <60>не вдалася
    не вдалося <10>доставити
    не доставлен
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    gửi <20>không thành công
    không (gửi được|thể gửi|được gửi)
    không thể (chuyển|gửi)
  `,
  group('zh', 'Coremail, NetEase 163, QQ; public mailing lists, flufl.bounce')`
    不存在
    传输失败
    傳遞<20>失敗
    发送不成功
    发送失败
    寄送失敗
    投递失败
    投遞失敗
    拒收
    无法(到达|发送|递送|送达|投递)
    无法传递
    无法将<30>(传递|送达|递送|投递)
    未[能|被](成功|投递|送达)
    未能(向|将|递送|送达)
    未能发送
    没有送达
    無法(傳送|寄送|投遞|遞送)
    無法傳遞
    無法將<30>(傳遞|送達|遞送)
    被拒
    退信
    退回
  `,
]);
