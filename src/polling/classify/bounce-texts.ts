/**
 * How mail servers say that a mail was not delivered when they send no delivery status (RFC 3464): qmail, Exim, Courier,
 * sendmail, Postfix of old, Exchange 5.5 and later, Notes, GroupWise, Yahoo, AOL, mail.ru, 163, QQ, hMailServer, MailEnable,
 * IMail, SmarterMail and the many that nobody counted. Rules are about wordings, not about single products.
 */

/** A sender that is a program of a mail server, by local part. */
export const DAEMON_ADDRESS =
  /^(mailer-?daemon|mail-?daemon|maildaemon|daemon|post-?master|postmast|mdaemon|mail-?delivery|mail\.delivery\.(system|subsystem)|mail-?system|mail-?(er|serv(er|ice))|mailadmin|maileradmin|ndr|bounce[sd]?|undeliverable|non-?delivery|autodelivery|mailnull|delivery|system|uucp|smtp|[a-z0-9_]*smtp_mail_service|microsoftexchange[0-9a-f]{10,})([+._-].*)?$/i;
export const DAEMON_NAME =
  /mail(er)?[ -]?(daemon|delivery|system|administrator|admin)|delivery (sub)?system|delivery status|post ?master|system administrator|mail server|microsoft (outlook|exchange)|mail transfer agent|jetmail|message router|mailbox system|^system$|internet mail|邮件系统|退信|管理员|почтов|системы? доставки|systemadministrator|administrador del sistema|administrateur syst/iu;

/** Subjects that say that a mail failed; tried at the beginning, after list tags. */
export const FAILURE_SUBJECT = new RegExp(
  [
    '^(failure (notice|delivery)|failed mail|failed to deliver|mail could not be delivered|could not (deliver|send)|non[ -]?deliver(y|able|ed)|not delivered|ndn\\b|ndr\\b|rejected|message rejected|automatically rejected)',
    '^(mail|message|e-?mail|your message|your mail|your e-?mail)?[ :-]*(system )?(deliver[ey]+|delivery (sub)?system)[ -]*(error|fail|has failed|problem|notification|report|status|unsuccessful|incident)',
    '^(mail|e-?mail|message)( system)? (error|fail|returned|status ?-? ?undeliver|undeliver|could not|not delivered|was not delivered|rejected|bounced)',
    '\\b(undeliverable|undelivered|undeliverd|unzustellbar|nicht zustellbar|returned (mail|e-?mail|message|to sender)|returning message to sender|return to sender|delivery (failure|failed|error|problem|status notification \\((failure|mislukt|fehler|échec)\\))|delivery status notification|mail delivery (failed|failure|problem|system)|message (undeliverable|not delivered|could not be delivered|delivery failure)|could not be delivered|was not delivered|unable to deliver|cannot be delivered|nondeliverable|user unknown|unknown user|mailbox (is )?(full|unavailable|over quota)|address not found|bounced? (mail|message|e-?mail))\\b',
    'unzustellbar|zustellung.{0,30}(fehlgeschlagen|gescheitert|nicht)|(échec|echec|non.?remis|non distribu|impossible).{0,40}(remise|distribution|envoi|livraison|message|remis)|non remis|avis de non|no se (ha )?(pudo|puede|podido) (entregar|enviar)|no entregad|no se puede entregar|devuelto|error (de|en la) entrega|falha (na|de) entrega|não (foi )?entreg|devolvid|mancat[ao] (consegna|recapito)|impossibile (recapitare|consegnare)|non recapitabile|kan niet (worden )?(bezorgd|afgeleverd)|niet bestelbaar|onbestelbaar|(kan|kunde|gick) inte (att )?levereras?|olevererbar|kan(not|ne)? ?ikke leveres|kunne ikke leveres|ikke leveret|ei voi(tu)? toimittaa|toimitus epäonnistui|kézbesíthetetlen|kézbesítés(e)? sikertelen|nem kézbesíthető|nedoručen|nedoručiteľn|nelivrat|nu a putut fi livrat|nelze doručit|niedostarczaln|δεν (ήταν δυνατή|παραδόθηκε)|αδυναμία παράδοσης|không gửi được|thư không gửi được|tidak (dapat )?terkirim|לא ניתן למסירה|לא נמסרה?|تعذر التسليم|تعذر تسليم|не доставлен|не вдалося доставити|неможливо доставити|impossible de (remettre|distribuer|livrer|délivrer|transmettre)|remise impossible|não é possível entregar|no es posible entregar|non (è stato )?(possibile )?(recapitat|consegnat)o|nie (można|udało).{0,20}(dostarczyć|doręczyć)|niedostarczon|nedoručiteln|nelze doručit|недоставлен|не ?доставлено|не доставлен|не удалось доставить|невозможно доставить|ошибка доставки|teslim edile?me|iletilemedi|退信|投递失败|投遞失敗|无法投递|無法投遞|传输失败|邮件传输失败|发送失败|未送达|无法送达|未送達|配信(不能|できません|エラー|失敗)|送信(エラー|失敗)|送信できません|エラーメール|배달(되지| ?실패| ?못)|전송 ?실패|반송',
  ].join('|'),
  'iu',
);

/** Sentences that say that a mail failed for good. */
export const FAILURE_TEXT = new RegExp(
  [
    "(\\w{2,5}n.t able to|could ?n[o']t|can ?n[o']t|can.t|couldn.t|was not|were not|has not been|not be|wasn.t|weren.t|unable to|not able to|failed to|impossible to|did not|have not|not) (be )?(successfully )?(deliver(ed)?|re?turn(ed)?|reach(ed)?|accept(ed)?|sent|process(ed)?|relay(ed)?|transmitted|send)\\b",
    'undeliver(able|ed)|undelivred|(delivery|delevery|delivering|message|mail|recipients?|address(\\(es\\)|es)?|transmission).{0,60}\\bfail(ed|ure)?\\b|failed (recipient|address)|non-?delivery|delivery (error|problem)|has been (returned|rejected|refused|bounced|blocked)|was (returned|rejected|refused|bounced|blocked|automatically rejected)|permanent(ly)? (fatal )?(error|fail)|permanent fatal errors|fatal errors|returned (mail|message|to sender)|giv(en|ing) up|not a valid (user|address|recipient|mailbox)|(user|recipient|mailbox|address|account|host|domain)\\b.{0,40} (unknown|not (found|known|exist|listed|recognized|local|available)|does not exist|is full|unavailable|exceed)|unknown (user|recipient|host|address|mailbox|local)|no such (user|mailbox|recipient|person|address|local)|invalid (recipient|user|address|mailbox|final delivery)|over (disk )?quota|quota exceeded|mailbox (is )?full|rejected (it|your|for|by|the)|undeliverable|error during delivery|the following addresses had|did not exactly match|out of (disk )?space|non existent|returning (the )?(message|mail)',
    'nicht (zugestellt|übermittelt|ausgeliefert|erreicht|zustellbar)|unzustellbar|zustellung.{0,40}(fehlgeschlagen|nicht)|konnte.{0,60}nicht.{0,60}(zugestellt|gesendet)',
    "n['’]a (pas )?(pu|pas).{0,40}(remis|distribu|délivr|livr|envoy|être)|non remis|impossible de (remettre|distribuer|délivrer|livrer)|échec (de|d)|ne peut.{0,30}(être )?(remis|délivr|distribu)",
    'no (se )?(ha )?(pudo|puede|podido).{0,30}(entregar|enviar|ser entregad)|no (ha sido|fue) entregad|não (foi|pôde|pode|puderam).{0,40}entreg|falha (na|de|ao)|impossibile (recapitare|consegnare|inviare)|non (è stato|è) (possibile )?(recapit|consegn)|non è stato possibile',
    "kon(den)? niet worden (bezorgd|afgeleverd)|kan niet worden|niet afgeleverd|kunde inte (levereras|skickas)|kunne ikke leveres|nie (może|można|mógł|udało|został).{0,30}(dostarcz|doręcz)|nedoručen|nelze doručit|не (может|удалось|было|смогли).{0,40}достав|невозможно доставить|не доставлен|недоставлен|teslim edilemedi|iletilemedi|n[’']est pas parvenu|n[’']a pas été (remis|livré|distribué)|no se ha entregado|no (ha podido|pudo) (ser )?(entregad|enviad)|non (è stat[oa]|sono stat[ei]) (recapitat|consegnat)|recapito non riuscito|consegna non riuscita|falha na entrega|não foi (entregue|possível)|niet (bezorgd|afgeleverd)|bezorging .{0,30}mislukt|leveransen misslyckades|inte (kunde )?levereras|kunde inte (nå|levereras)|leveringen? mislykkedes|levering(en)? (til .{0,60})?mislyktes|ble ikke levert|blev ikke leveret|toimittaminen .{0,60}epäonnistui|ei (voitu|voi) toimittaa|dostarczenie .{0,80}nie powiodło|nie (powiodło|udało).{0,60}(dostarcz|doręcz)|nepodařilo (se )?(doruč|odesl)|nepodarilo (sa )?doruč|doručení .{0,60}selhalo|nem (sikerült|lehetett|tudtuk).{0,40}kézbesít|nu a (putut fi|fost) livrat|livrarea .{0,40}eșuat|δεν (ήταν δυνατή|παραδόθηκε|μπόρεσε)|сбой доставки|не (доставлено|доставлена)|не вдалося доставити|không (thể gửi|gửi được|được gửi)|tidak (dapat|bisa) (dikirim|terkirim)|gagal (dikirim|terkirim)|לא (נמסרה|הייתה אפשרות|ניתן היה)|تعذر (تسليم|إرسال|التسليم)",
    '无法(投递|发送|送达|到达|递送)|無法(投遞|寄送|傳送)|未(能|被)?(投递|送达|成功)|投递失败|退回|退信|传输失败|发送失败|拒收|被拒|不存在|配信(できません|不能|されません)|送信(できません|されません)|届けることができません|お届けできません|配信に失敗|送信に失敗|未能(向|将|递送|送达)|無法遞送|无法递送|エラー.{0,20}(戻|返)|전송(되지|하지|할 수)|배달(되지|할 수)|없는 (사용자|계정)',
  ].join('|'),
  'iu',
);

/** Sentences that say that a server goes on trying. */
export const DELAY_TEXT =
  /warning message only|this is (only )?a warning|you do not need to resend|no need to (resend|retry)|has(n.t| not) yet been delivered|not yet (been )?delivered|delivery .{0,40}(has been|is|was) (delayed|postponed|deferred)|(message|mail|delivery) (has been |is |was |being )?(delayed|deferred)|has been (delayed|postponed|deferred)|still being retried|will (be )?(retried|retry|continue to (try|be)|keep trying|try again)|will continue (trying|to try)|continue trying|still trying|attempts will continue|(re)?queued for (further|later)|will be attempted again|delivery incomplete|temporary problem delivering|tempor(ary|arily) (failure report|undeliverable|delayed)|(message|mail) is delayed|no action is required on your part|wird weiter versucht|verzögert|noch nicht zugestellt|retard(ée?|é)|sera (re|ré)essay|se ha retrasado|retrasad|seguir[áa] intentando|atrasad|continuar[áa] tentando|in ritardo|ritardat|wordt? opnieuw geprobeerd|vertraagd|försenad|forsinket|opóźnion|задерж|повторн\S+ попыт|延迟|延遲|遅延|再送を試み|지연/iu;

/** What is only said when it is over. */
export const FINAL_TEXT =
  /permanent(ly)? (fatal |delivery )?(error|fail)|(failed|rejected|undeliverable) permanently|permanent(er|e) fehler|giv(en|ing) up|gave up|will not (be )?(retr|try)|won.t (be )?(retr|try)|no further attempts|failed after|has expired|timed? ?out after|returned to (the )?sender|returning (message|mail) to sender|endgültig|definitiv|最終|окончательн/iu;

export const DELAY_SUBJECT =
  /\b(delay(ed)?|warning|deferred|still being retried|verzögert|retardé|retrasad|vertraagd|opóźnion|temporarily)\b|延迟|延遲|遅延|задерж/iu;
