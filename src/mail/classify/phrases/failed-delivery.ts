import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "Could not" before what a server could not do. */
export const UNABLE = new PhraseList([
  group('en', 'the servers of FAILURE_SENTENCES')`
    (failed|impossible|n't able|not able|unable) to
    can't
    can[ ]n't
    could[ ]n't
    has not been
    not
    wasn't
    weren't
  `,
]);

/** Sentences by which a server says that a message was not delivered. */
export const FAILURE_SENTENCES = new PhraseTable(
  [
    group('ar', 'usual wording of servers; not traced to one')`
      تعذر (إرسال|التسليم|تسليم)
    `,
    group('cs', 'usual wording of servers; not traced to one')`
      (nebud|nebyl|nemohl)<letters> <20>(doruč|odesl)
      doručení <60>selhalo
      nedoručen
      nelze doručit
      nepodařilo [se ](doruč|odesl)
    `,
    group('da', 'usual wording of servers; not traced to one')`
      blev ikke leveret
      kunne ikke leveres
      leveringe[n] mislykkedes
    `,
    group('de', 'Exchange; GMX, WEB.DE; kumomta')`
      konnte<60>nicht<60>(gesendet|zugestellt)
      nicht (ausgeliefert|erreicht|zugestellt|zustellbar|übermittelt)
      unzustellbar
      zustellung<40>(fehlgeschlagen|nicht)
    `,
    group('el', 'usual wording of servers; not traced to one')`
      δεν (ήταν δυνατή|μπόρεσε|παραδόθηκε)
    `,
    group('en', 'Postfix, qmail, Exim, Sendmail, James: "could not be delivered" and the like; flufl.bounce, Exim\'s test suite')`
      <unable> [be ][successfully ](accept[ed]|deliver[ed]|process[ed]|r[e]turn[ed]|reach[ed]|relay[ed]|send|sent|transmitted)|
    `,
    group(
      'en',
      'Sendmail, Postfix, Exim, qmail, Courier; Exchange, Lotus Domino, GroupWise; Gmail, Yahoo, AOL; BounceParser, flufl.bounce',
    )`
      (account|address|domain|host|mailbox|recipient|user)|<40> (does not exist|exceed|is full|unavailable|unknown)
      (account|address|domain|host|mailbox|recipient|user)|<40> not (available|exist|found|known|listed|local|recognized)
      (address[es|\(es\)]|delevery|delivering|delivery|mail|message|recipient[s]|transmission)<60>|fail[ed|ure]|
      delivery (error|problem)
      did not exactly match
      error during delivery
      failed (address|recipient)
      fatal errors
      giv(en|ing) up
      has been (blocked|bounced|refused|rejected|returned)
      invalid (address|final delivery|mailbox|recipient|user)
      mailbox [is ]full
      no such (address|local|mailbox|person|recipient|user)
      non existent
      non[-]delivery
      not a valid (address|mailbox|recipient|user)
      out of [disk ]space
      over [disk ]quota
      permanent[ly] [fatal ](error|fail)
      quota exceeded
      rejected (by|for|it|the|your)
      returned (mail|message|to sender)
      returning [the ](mail|message)
      the following addresses had
      undeliver(able|ed)
      undelivred
      unknown (address|host|local|mailbox|recipient|user)
      was (automatically rejected|blocked|bounced|refused|rejected|returned)
    `,
    group('es', 'Exchange, Lotus Domino; PHP-Bounce-Handler')`
      no (fue|ha sido) entregad
      no (ha podido|pudo) [ser ](entregad|enviad)
      no [se ][ha ](podido|pudo|puede)<30>(entregar|enviar|ser entregad)
      no se ha entregado
    `,
    group('fi', 'usual wording of servers; not traced to one')`
      ei (voi|voitu) toimittaa
      toimittaminen <60>epäonnistui
    `,
    group('fr', 'Exchange; flufl.bounce')`
      impossible de (distribuer|délivrer|livrer|remettre)
      n'a [pas ](pas|pu)<40>(distribu|délivr|envoy|livr|remis|être)
      n'est pas parvenu
      ne peut<30>[être ](distribu|délivr|remis)
      non remis
      échec d
    `,
    group('he', 'usual wording of servers; not traced to one')`
      לא (הייתה אפשרות|נמסרה|ניתן היה)
    `,
    group('hu', 'usual wording of servers; not traced to one')`
      nem (lehetett|sikerült|tudtuk)<40>kézbesít
    `,
    group('id', 'usual wording of servers; not traced to one')`
      gagal (dikirim|terkirim)
      tidak (bisa|dapat) (dikirim|terkirim)
    `,
    group('it', 'usual wording of servers; not traced to one')`
      consegna non riuscita
      impossibile (consegnare|inviare|recapitare)
      non (sono stat(e|i)|è stat(a|o)) (consegnat|recapitat)
      non (è|è stato) [possibile ](consegn|recapit)
      non è stato possibile
      recapito non riuscito
    `,
    group('ja', 'usual wording of servers; not traced to one')`
      お届けできません
      エラー<20>(戻|返)
      届けることができません
      送信(されません|できません)
      送信に失敗
      配信(されません|できません|不能)
      配信に失敗
    `,
    group('ko', 'usual wording of servers; not traced to one')`
      (발송|전달|전송)(되지|하지|할 수)
      (발송|전송)[ ]실패
      배달(되지|할 수)
      보내지[ ]못
      없는 (계정|사용자)
    `,
    group('nb', 'usual wording of servers; not traced to one')`
      ble ikke levert
      levering[en] [til <60>]mislyktes
    `,
    group('nl', 'usual wording of servers; not traced to one')`
      bezorging <30>mislukt
      kan niet worden
      kon[den] niet worden (afgeleverd|bezorgd)
      niet (afgeleverd|bezorgd)
    `,
    group('pl', 'usual wording of servers; not traced to one')`
      dostarczenie <80>nie powiodło
      nie (może|można|mógł|udało|został)<30>(doręcz|dostarcz)
      nie (powiodło|udało)<60>(doręcz|dostarcz)
    `,
    group('pt', 'usual wording of servers; not traced to one')`
      falha (ao|de|na)
      não (foi|pode|puderam|pôde)<40>entreg
      não foi possível
    `,
    group('ro', 'usual wording of servers; not traced to one')`
      livrarea <40>eșuat
      nu a (fost|putut fi) livrat
    `,
    group('ru', 'Mail.ru, Yandex; flufl.bounce')`
      не (было|может|смогли|удалось)<40>достав
      не доставлен
      невозможно доставить
      недоставлен
      сбой доставки
    `,
    group('sk', 'usual wording of servers; not traced to one')`
      nepodarilo [sa ]doruč
    `,
    group('sv', 'usual wording of servers; not traced to one')`
      inte [kunde ]levereras
      kunde inte (nå|skickas)
      leveransen misslyckades
    `,
    group('tr', 'usual wording of servers; not traced to one')`
      iletilemedi
      teslim edilemedi
    `,
    group('uk', 'usual wording of servers; not traced to one')`
      не вдалося доставити
    `,
    group('vi', 'usual wording of servers; not traced to one')`
      không (gửi được|thể gửi|được gửi)
    `,
    group('zh', 'Coremail, NetEase 163, QQ; public mailing lists, flufl.bounce')`
      不存在
      传输失败
      发送失败
      投递失败
      拒收
      无法(到达|发送|递送|送达|投递)
      未[能|被](成功|投递|送达)
      未能(向|将|递送|送达)
      無法(傳送|寄送|投遞|遞送)
      被拒
      退信
      退回
    `,
  ],
  { unable: UNABLE },
);
