/** Words of automatic replies in the languages of the big mail programs. */

/** Subjects that programs write, at the beginning. Outlook puts its own words before the subject it answers. */
export const AUTOMATIC_SUBJECT = new RegExp(
  [
    '^auto(matic(ally)?|mated)?[ -]?(generated )?(reply|response|respond(er)?|answer|acknowledge?ment|message|mail|notification of receipt)\\b',
    '^auto ?:',
    '\\b(auto-?reply|autoresponse|auto-?response|automatic (reply|response)|automated (reply|response)|autoresponder)\\b[\\])]?$',
    '^(automatische (antwort|rückantwort|rückmeldung|abwesenheit\\w*|eingangsbestätigung)|autom\\. ?antwort|antwort automatisch|abwesenheits)',
    '^(message|mensaje|messaggio|mensagem) autom[áàa]ti(c|que)',
    '^(réponse automatique|reponse automatique|accusé de réception)',
    '^(respuesta autom[áa]tica|auto-?respuesta|contestador autom)',
    '^(resposta autom[áàa]tica|resposta de aus[êe]ncia)',
    '^(risposta automatica|risponditore automatico)',
    '^(automatisch (antwoord|bericht)|automatische (reactie|beantwoording))',
    '^(autosvar|automatiskt? svar|auto ?svar|automaattinen vastaus)',
    '^\\[?(autom\\S* odpowied|odpowied\\S autom|autoodpowied|autoresponder)',
    '^(automatick[áaéý] odpov[ěe][ďd]|automatická odpoveď|automatikus válasz|r[aăâäa]spuns(uri)? automat|automatski odgovor|samodejni odgovor|automātiskā? atbilde|automaatvastus|automaatne vastus|automatinis atsakymas)',
    '^(автоматичес?к\\S* ответ|автоответ|автовідповідь|автоматична відповідь|автоматичен отговор|(авто|ауто)матски одговор|αυτόματη απάντηση)',
    '^(otomatik (yanıt|cevap)|otomatik yanit|(balas(an)?|jawapan) (otomatis|automatik)|(trả lời|phản hồi) tự động|tự động (trả lời|phản hồi)|การตอบกลับอัตโนมัติ|ตอบกลับอัตโนมัติ)',
    '自動(返信|応答|回覆|回复|配信|送信)|自动(回复|回覆|答复|应答)|자동 ?(회신|응답|답장)|부재중',
    'رد (تلقائي|آلي)|پاسخ خودکار|स्वचालित (उत्तर|जवाब)|מענה אוטומטי|תשובה אוטומטית|הודעה אוטומטית',
    '^(automatiska atbilde|arpus biroja|sjálfvirkt svar|freagra uathoibríoch|erantzun automatikoa|ateb awtomatig|outomatiese antwoord|përgjigje automatike|avtomatik cavab|awtomatikong (tugon|sagot))',
  ].join('|'),
  'iu',
);

/** Subjects of absence notices; not tried behind an answer's prefix. */
export const AWAY_SUBJECT = new RegExp(
  [
    '^(((maternity|paternity|parental|sick|annual) leave|sabbatical|public holiday|office closed|closed for)\\b|ooo|oof|out[ -]of[ -](the[ -])?office|away from (my |the )?(office|desk|mail)|away message|on (vacation|holiday|leave|annual leave|maternity|parental)|vacation (reply|response|message)|holiday (notice|message)|i am (currently )?(out of|away|on)|i (have |.ve )(now )?left|absence\\b(?! of\\b)|currently (away|out))',
    '\\b(is|am|has) (no longer (with|at|employed|working)|left (the|our) (company|organi[sz]ation|firm)|retired)\\b|\\b(ich bin|bin ich)\\b.{0,60}(urlaub|abwesend|nicht im büro)|no longer (works?|with|at|employed)',
    '\\b(is|am) (currently )?(out of (the )?office|away from (the |my )?office|on (vacation|holiday|leave))\\b',
    'out of (the )?office[)\\]]?( (reply|autoreply|auto-reply|response|message|notification|assistant|until|:).*)?$',
    '^(abwesen|außer haus|ausser haus|nicht im (haus|büro)|urlaub|im urlaub|elternzeit|mutterschutz|bin (im urlaub|abwesend))',
    "^(absen(ce|t)(?! of\\b)|message d['’]absence|(en )?congés?(?!\\p{L})|je (suis|serai) (absent|en congé|en vacances)|hors du bureau|indisponib)",
    "^(fuera de (la )?oficina|ausente|ausencia|vacaciones|de vacaciones|(estoy|estar[ée]) (de vacaciones|fuera|ausente)|fora de l[’']oficina)",
    '^(fora do escrit|ausente|aus[êe]ncia|f[ée]rias|de f[ée]rias|(estou|estarei) (de f[ée]rias|fora|ausente))',
    '^(fuori (ufficio|sede)|assente|assenza|in ferie|(sono|sarò) (in ferie|fuori|assente))',
    '^(afwezig|niet (aanwezig|op kantoor)|buiten kantoor|vakantie|op vakantie|met verlof|ik ben (afwezig|(met|op) (vakantie|verlof)))',
    '^(frånvaro|frånvarande|semester|fravær|ferie|ikke (på kontoret|til stede)|poissa|lomalla|poissaolo)',
    '^(nieobecno|poza biurem|urlop|jestem (poza|na urlopie|nieobecn)|mimo kancel[áa]r|mimo kancelář|nepřítom|dovolená|házon kívül|szabadság|(în )?concediu|absent din|odsutan|odsotnost|atvaļin|atostog|puhkus)',
    '^(отсутств|(я )?в отпуске|отпуск|вне офиса|нет на (рабочем )?месте|відпустка|(я )?у відпустці|відсутн|отсъств|в отпуск)',
    '^(ofis dışı|izinde|yıllık izin|büro dışı|απουσία|εκτός γραφείου)',
    '不在(通知|の|です|に|$)|休暇|外出中|休假|不在(办公室|辦公室)|外出|출장|휴가|חופשה|מחוץ למשרד|خارج المكتب|إجازة',
  ].join('|'),
  'iu',
);

/** Subjects of receipts; not tried behind an answer's prefix. */
export const RECEIPT_SUBJECT = new RegExp(
  [
    '^(your|the) (request|ticket|case|enquiry|inquiry|message|e-?mail|support request)\\b.{0,40}(has been|was|is) (successfully )?(received|created|opened|logged|registered|submitted)',
    '^(\\[?(ticket|case|request|incident)[ #:-].{0,40}\\]?.{0,20}(received|created|opened|acknowledg))|\\[?(ticket|case|request) (received|created|opened|confirmation|acknowledge?ment)\\b',
    '^(we (have )?received your|thank you for (contacting|your (e-?mail|message|enquiry|inquiry|request))|thanks for (contacting|your (e-?mail|message|enquiry))|receipt (of|confirmation)|confirmation of receipt|acknowledge?ment( of receipt)?$|grazie per (averci contattato|il (suo|tuo|vostro) messaggio)|(vielen )?dank für ihre (nachricht|anfrage|e-?mail)|merci (de nous avoir contact|pour votre (message|e-?mail|demande))|gracias por (contactar|su (mensaje|correo)|escribirnos)|(muito )?obrigad[oa] (pelo|por) (seu |entrar em )?contat|bedankt voor (uw|je) (bericht|e-?mail|aanvraag)|tack för (ditt|din) (mejl|meddelande|förfrågan)|dziękujemy za (kontakt|wiadomość)|спасибо за (обращение|ваше)|eingangsbestätigung|empfangsbestätigung|accusé de réception|acuse de recibo|conferma di (ricezione|ricevimento)|ontvangstbevestiging|potwierdzenie (otrzymania|odbioru)|mottagningsbekräftelse|お問い?合わ?せ.{0,20}(ありがとう|受付)|受付(完了|のお知らせ))',
  ].join('|'),
  'iu',
);

/** Sentences of absence, as notices begin with them. */
export const AWAY_TEXT = new RegExp(
  [
    '\\bi( am|.m| will be|.ll be) (currently |presently |now )?(out of|away from) (the |my )?(office|desk|email|e-mail|town|country)|\\bi( am|.m| will be|.ll be) (currently |presently |now )?(away|on (vacation|holidays?|leave|annual leave|maternity leave|parental leave|paternity leave|sick leave|a business trip)|travell?ing|out of office|unavailable)\\b|\\bout of (the )?office\\b.{0,80}(until|return|back|from|and will|with)|currently (out of|away from) (the )?office|i (have|.ve) (now )?left (the )?(company|organi[sz]ation|firm)|no longer (work|with|employed|at)|thank you for (your|the) (e-?mail|message|mail)\\b.{0,120}(out of|away|on (leave|vacation|holiday)|not in|absent|return)|limited access to (my )?e-?mail|will (be back|return) (to (the|my) (office|desk)|on|in)\\b',
    'ich bin .{0,60}(nicht (im (büro|haus)|erreichbar|am arbeitsplatz|da)|abwesend|außer haus|ausser haus|im urlaub|wieder (da|erreichbar|im))|bin ich .{0,40}(nicht im|abwesend|im urlaub|außer haus|nicht erreichbar)|befinde mich .{0,40}(urlaub|außer|dienstreise)|e-?mails? w(ird|erden) nicht (weitergeleitet|gelesen|bearbeitet)',
    'je suis .{0,40}(absent|en congé|en vacances|en déplacement|indisponible|hors du bureau)|je serai .{0,40}(absent|de retour|en congé)|actuellement (absent|en congé|en déplacement)',
    'estoy .{0,30}(fuera de|ausente|de vacaciones|de baja)|estar[ée] .{0,30}(fuera|ausente|de vacaciones)|me encuentro .{0,30}(fuera|ausente|de vacaciones)|estou .{0,30}(fora|ausente|de f[ée]rias)|estarei .{0,30}(fora|ausente|de f[ée]rias)|encontro-me .{0,30}(ausente|fora|de f[ée]rias)',
    'sono .{0,30}(fuori (ufficio|sede)|assente|in ferie)|sarò .{0,30}(assente|fuori|in ferie)|ik ben .{0,60}(afwezig|niet (aanwezig|op kantoor|bereikbaar)|met (vakantie|verlof)|op vakantie|buiten kantoor)',
    'jag är .{0,40}(inte på kontoret|ledig|på semester|frånvarande|tjänsteledig|tillbaka)|jeg er .{0,40}(ikke på kontoret|på ferie|fraværende|bortreist|tilbage|tilbake)|olen .{0,30}(lomalla|poissa|matkoilla)',
    'jestem .{0,30}(poza biurem|na urlopie|nieobecn)|przebywam .{0,30}(na urlopie|poza)|jsem .{0,30}(mimo kancelář|na dovolené|nepřítom)|som .{0,30}(mimo kancelári|na dovolenke|neprítomn)|szabadságon (vagyok|leszek)|sunt .{0,20}(în concediu|plecat)|esmu atvaļinājumā',
    'я .{0,40}(в отпуске|отсутствую|нахожусь в (отпуске|командировке)|вне офиса)|нахожусь в отпуске|буду отсутствовать|я .{0,20}у відпустці|в отпуск съм|извън офиса съм|εκτός γραφείου|(είμαι|βρίσκομαι|θα είμαι) (σε|με) άδεια|απουσιάζω|na (godišnjem( odmoru)?|odmoru|dopustu) (sam|do)|izvan ureda|olen (puhkusel|kontorist)|atostogauju|esu (atostogose|ne biure)|đang (nghỉ phép|đi công tác|vắng mặt)|(sedang|saya) cuti|di luar kantor|ลาพักร้อน|ไม่อยู่ที่(สำนักงาน|ออฟฟิศ)|izindeyim|ofis dışında(yım)?|yıllık izin',
    '不在(にしております|です|の(ため|間))|休暇(中|を(いただ|取得))|外出し?(ております|ています)|我(正在|目前|现在|将)?.{0,10}(休假|出差|外出|不在办公室|度假)|本人.{0,6}(休假|出差|外出)|부재중|휴가(중| 중)|출장(중| 중)|בחופשה|מחוץ למשרד|في إجازة|خارج المكتب',
  ].join('|'),
  'iu',
);

/** What only a program says of its own mail. */
export const MACHINE_TEXT = new RegExp(
  [
    'this is an? (auto(matic(ally)?|mated)?)([ -](generated|created|sent))?[ -](e-?mail )?(reply|response|answer|message|e-?mail|mail|notification|acknowledge?ment|auto-?reply)|this (e-?mail|message|reply|mail|response) (was|is|has been) (automatically|auto-?)( ?(generated|created|sent))?\\b|automatically generated (reply|response|message|e-?mail)|\\b(auto-?reply|autoresponder|auto-?response) (message|mail|to your)|(please )?do not (reply|respond) to this (automated |automatic |auto-?generated )?(e-?mail|message|mail)|automated (response|reply) to (your|the)|only notification you will receive|(mailbox|inbox|e-?mail (address|account)|address|account) is (not|no longer|un) ?(being )?(monitored|attended)|unmonitored (mailbox|address|inbox|e-?mail)|you will receive only one (such )?notification',
    'dies(e|er|es)? (ist|nachricht|e-?mail|mail).{0,40}automatisch|automatisch (erstellt|generiert|erzeugt|versandt|verschickt)|automatische (antwort|eingangsbestätigung|nachricht)|bitte (antworten sie )?nicht auf diese',
    'ceci est (un|une) (message|réponse|e-?mail|courriel) automatique|(message|réponse|e-?mail|courriel) (automatique|généré automatiquement)|merci de ne pas répondre|ne pas répondre à ce',
    'este (es un |correo |mensaje |e-?mail ).{0,40}autom[áa]tic|(mensaje|correo|respuesta|mensagem|resposta) (generad[oa] |gerad[oa] )?autom[áa]tic|no responda a este|não responda',
    'questo è un messaggio automatico|(messaggio|risposta) (generat[oa] )?automatic|si prega di non rispondere|dit is een automatisch|automatisch (gegenereerd|verzonden|bericht)|detta är ett auto|dette er (en|et) auto|automatisk (svar|besked|genereret)|wiadomość (została )?(wygenerowana )?automatyczn|automaticky (generovan|vytvořen)|automatikus üzenet',
    'автоматическ(ий|ое|и) (ответ|сообщение|сгенерирован|создан)|это автоматическ|не отвечайте на это|otomatik (olarak|mesaj|yanıt)',
    '自動(返信|送信|配信|応答|で(送信|返信|配信)|的に(送信|返信))|自动(回复|发送|回覆|答复)|系统自动|請勿(直接)?回覆|请勿(直接)?回复|자동 ?(회신|응답|발송|답장)|발신 ?전용|תשובה אוטומטית|رد تلقائي',
  ].join('|'),
  'iu',
);

/** Receipts: somebody will answer later. */
export const RECEIPT_TEXT = new RegExp(
  [
    '(we|i) (have |.ve )?(successfully )?received your (e-?mail|message|mail|enquiry|inquiry|request|submission)|your (e-?mail|message|enquiry|inquiry|request|ticket|mail|support request) (\\(?#?[\\w-]+\\)? )?(has been|was) (successfully )?(received|created|opened|registered|logged|submitted|accepted|assigned)|thank you for (contacting|your (e-?mail|message|enquiry|inquiry|mail|request|interest|contact))\\b.{0,200}(will|shall|endeavou?r|try to|aim to) .{0,60}(respond|reply|get back|contact|answer|be in touch)|a (support )?(ticket|request|case) (has been|was) (created|opened)|(assigned|given) (the |an? )?(ticket|case|issue|reference|id|tracking)|(ticket|case|reference) (number|id|#)',
    "ihre (e-?mail|nachricht|anfrage|mail) (ist|wurde|haben wir).{0,60}(eingegangen|erhalten|empfangen)|wir haben ihre (e-?mail|nachricht|anfrage).{0,40}erhalten|(nous|j[’']).{0,10}(avons|ai) bien reçu votre|votre (message|demande|e-?mail|courriel) a (bien )?été (reçu|enregistr|prise?)|hemos recibido su|su (mensaje|solicitud|correo) ha sido (recibid|registrad)|recebemos (a )?su|abbiamo ricevuto (la |il )?(sua|tua|suo|tuo|vostr[oa])|wij hebben uw .{0,40}ontvangen|uw (bericht|e-?mail|aanvraag) is ontvangen|vi har mottagit (ditt|er)|otrzymaliśmy|dziękujemy za (kontakt|wiadomość|zgłoszenie)|ваш(е|а) (сообщение|заявка|письмо|обращение).{0,40}(получен|принят|зарегистрир)|お問い?合(わ)?せ(を|いただき|ありがとう|頂き|内容)|受け付けました|受付いたしました|已收到(您|你)的|收到(您|你)的(来信|邮件|留言)|문의.{0,20}(접수|감사)",
  ].join('|'),
  'iu',
);

/** What notices of absence go on with, and people who answer seldom do: whom to ask instead, and that nobody reads this now. */
export const NOTICE_TEXT = new RegExp(
  [
    '(in|for|with|if it.s|if) (an |any |very |really )?(urgent|emergenc|immediate)|(limited|no|intermittent|sporadic|restricted|infrequent) (or no )?access to (my )?(e-?mail|mail|messages)|(respond|reply|answer|get back|attend|deal) (to|with) (you|your|all|it|this).{0,40}(upon|on|when|after|as soon as).{0,20}(return|back)|(your|this) (e-?mail|message) will not be (forwarded|read)|during (my|this) (absence|time|period)|in my absence|please (contact|direct|refer|forward)',
    'dringende|in meiner abwesenheit|keinen zugriff|(nicht|nur) .{0,30}(weitergeleitet|gelesen|zugriff)|meine vertretung|vertritt mich|wenden sie sich|nach meiner rückkehr',
    'urgence|urgent|en mon absence|à mon retour|accès limité|veuillez contacter|n.hésitez pas à contacter|urgente|en mi ausencia|a mi (vuelta|regreso)|acceso limitado|(pueden?|puede usted) contactar|na minha ausência|no meu regresso|contact(ar|e) |in mia assenza|al mio rientro|per urgenze|accesso limitato',
    'dringend|spoed|tijdens mijn afwezigheid|bij mijn terugkomst|brådskande|under min frånvaro|begränsad tillgång|haster|under mitt fravær|i mit fravær|kiireellis|poissaoloni aikana|w pilnych|pilnych spraw|podczas mojej nieobecności|ograniczony dostęp|naléhav|v mé nepřítomnosti|sürgős|în lipsa mea|urgențe|acil durum|срочн|в мо[её] отсутствие|ограничен.{0,20}доступ|терміново',
    '緊急|お急ぎ|代わりに|不在中|戻り次第|紧急|緊急|急事|如有急|请联系|請聯繫|긴급|급한|דחוף|عاجل',
  ].join('|'),
  'iu',
);
