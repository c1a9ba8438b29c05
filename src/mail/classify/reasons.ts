import type { ReplyClass } from '../replies/smtp-replies.ts';

/** What may be missing: the address, whoever has it, their mailbox or account. In words of many languages. */
const ADDRESSEE =
  'empfänger|empfaenger|adress|benutzer|postfach|mailbox|konto|destinataire|utilisateur|compte|usu[aá]ri|destinat[aá]ri|direcci[oó]n|buz[oó]n|cuenta|endere[çc]o|conta\\b|caixa|utente|indirizzo|casella|casilla|użytkownik|adres|skrzynk|gebruiker|ontvanger|geadresseerde|användare|mottagare|modtager|mottaker|bruker|bruger|vastaanottaj|osoite|uživatel|příjemc|schránk|používateľ|címzett|felhasználó|cím\\b|utilizator|kullanıcı|alıcı|hesap|posta kutusu|χρήστη|παραλήπτη|διεύθυνση|пользовател|получател|адрес|ящик|почтов|користувач|одержувач|отримувач|宛先|アドレス|ユーザ|受信者|アカウント|メールボックス|用户|用戶|收件人|收信人|邮箱|信箱|郵箱|地址|账号|帐号|帳號|域名|사용자|수신자|받는 ?사람|주소|계정|메일함|người nhận|địa chỉ|alamat|penerima|משתמש|נמען|כתובת|المستخدم|العنوان|المستلم';

/** That it does not exist, was not found, or is closed. */
const MISSING =
  "existiert nicht|unbekannt|deaktiviert|gesperrt|de[sz]habilitad|desactivad|disabilitat|nicht (gefunden|bekannt|vorhanden|existent|(.{0,40} )?aufgeführt)|inconnu|n[’']existe pas|introuvable|désactivé|desconocid|no existe|inexistente|no (se )?(ha )?(sido )?(encontr|pudo encontrar)|desconhecid|não (existe|foi (encontrad|possível encontrar))|n[ãa]o encontrad|sconosciut|non (esiste|(è stat[oa] )?trovat)|inesistente|nie (istnieje|ma takiego|znaleziono)|nieznan|nie został[oa]? odnalezion|onbekend|bestaat niet|niet (gevonden|worden gevonden|bekend)|finns inte|hittades inte|okänd|findes ikke|ukendt|ikke (blev )?(fundet|funnet)|finnes ikke|ble ikke funnet|ukjent|ei (löydy|löytynyt|ole olemassa)|tuntematon|neexistuje|nebyl\\w* nalezen|neznám|nenalezen|nem (létezik|található)|ismeretlen|nu (există|a fost găsit)|necunoscut|bulunam[ıa]|mevcut değil|yok\\b|bilinmeyen|δεν (υπάρχει|βρέθηκε)|άγνωστ|не существует|не найден|неизвест|недоступен|отключ[её]н|заблокирован|удал[её]н|не (удалось|смогли) найти|не зареєстрован|не існує|не знайден|存在しません|存在しない|見つかりません|見つからない|不明|ありません|不存在|无效|無效|有误|未找到|找不到|已(停用|禁用|注销|冻结)|존재하지|찾을 수 없|없는|없습니다|알 수 없|không (tồn tại|tìm thấy)|tidak (ditemukan|ada|dikenal)|לא (נמצא|קיים|נמצאה)|غير (موجود|صحيح)|لم يتم العثور";

/** A place that is full. */
const FULL_PLACE =
  'postfach|mailbox|speicher|bo[iî]te|quota|buz[oó]n|cuenta|caixa|casella|skrzynk|inbox|brevlåda|inkorg|postkasse|innboks|indbakke|postilaatikko|schránk|postafiók|căsuț|posta kutusu|gelen kutusu|ящик|почт|квот|邮箱|郵箱|信箱|容量|空间|空間|メールボックス|메일함|편지함|사서함|hộp thư|kotak|תיבת|صندوق';
const FULL =
  'voll\\b|überschritten|erschöpft|pleine?\\b|saturée?|dépassé|llen[oa]|superad|excedid|cheia|lotad|esgotad|piena|superat|pełna|przepełnion|przekroczon|\\bvol\\b|overschreden|full\\b|fylld|\\bfuld\\b|fuld\\b|täynnä|pln[áaý]|překročen|tele\\b|megtelt|plină|depășit|dolu\\b|dolmuş|aşıldı|переполнен|заполнен|превыш|закінч|满|滿|不足|超过|超過|超出|いっぱい|満杯|オーバー|가득|초과|đầy|penuh|מלאה|ممتلئ';

const near = (a: string, b: string) => `(${a}).{0,60}(${b})|(${b}).{0,40}(${a})`;

/** Reasons as servers give them in other languages than English: full mailboxes, and addresses that don't exist. */
export const REASONS_IN_LANGUAGES: readonly [ReplyClass, RegExp][] = [
  ['soft', new RegExp(`${near(FULL_PLACE, FULL)}|speicherplatz|可用容量不足|容量(不足|超出|已满|オーバー)`, 'iu')],
  ['hard', new RegExp(`${near(ADDRESSEE, MISSING)}|該当する.{0,12}ません`, 'iu')],
  // By the name alone, as Exchange writes: "ada was not found at example.com".
  [
    'hard',
    /wurde (unter |bei |in |auf )?\S{1,80} nicht gefunden|n[’']a pas été trouvée? (à|sur|dans)|no se (ha )?encontr(ó|ado) en|não foi encontrad[oa] (em|no)|non è stat[oa] trovat[oa] (in|su|presso)|(is|werd) niet gevonden (in|bij|op)/iu,
  ],
];
