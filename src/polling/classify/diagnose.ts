import { classifyReply, type ReplyClass } from '../../smtp-replies.ts';

/** What a failed delivery says of the address. */
export interface Diagnosis {
  isHard: boolean;
  class: ReplyClass;
  rule: string;
  /** The most telling status: that of the report, or one inside the answer where the report's is general. */
  status: string | null;
}

/** Reasons as servers give them in other languages than English: of addresses that don't exist, and of full mailboxes. */
const IN_OTHER_LANGUAGES: readonly [ReplyClass, RegExp][] = [
  [
    'soft',
    /邮箱(已|空间)?(满|不足)|郵箱已滿|容量(不足|超出|已满|オーバー)|可用容量不足|超过.{0,6}(容量|配额)|メールボックス.{0,10}(容量|いっぱい|満杯|超)|postfach.{0,20}voll|speicherplatz|(boîte|boite).{0,30}(pleine|saturée)|quota.{0,20}(dépassé|superado|superato|excedid)|buz[oó]n.{0,20}lleno|caixa.{0,30}cheia|casella.{0,30}piena|skrzynk.{0,20}pełna|(ящик|почта).{0,20}(переполнен|заполнен)|переполнен|превышен.{0,20}(квот|размер)/i,
  ],
  [
    'hard',
    /(用户|用戶|收件人|收信人|邮箱|邮件地址|账号|帐号|域名).{0,8}(不存在|无效|無效|有误|未找到|已(停用|禁用|注销))|不存在(的)?(用户|邮箱|地址)|(宛先|アドレス|ユーザ).{0,20}(存在しません|見つかりません|不明|ありません)|該当する.{0,12}ません|(empfänger|adresse|benutzer|postfach).{0,30}(existiert nicht|unbekannt|nicht (gefunden|bekannt|vorhanden))|(destinataire|adresse|utilisateur|compte).{0,60}(inconnu|n[’']existe pas|introuvable)|(usuario|destinatario|direcci[oó]n|buz[oó]n|cuenta).{0,30}(desconocid|no existe|no encontrad)|(usuário|destinatário|endereço|conta).{0,30}(desconhecid|não existe|inexistente)|(utente|destinatario|indirizzo|casella).{0,30}(sconosciut|non esiste|inesistente)|(użytkownik|adres|konto).{0,30}(nie istnieje|nieznan)|(пользовател|получател|адрес|ящик|почтов).{0,40}(не существует|не найден|неизвест|недоступен|отключ[её]н|заблокирован)|(gebruiker|ontvanger|adres).{0,30}(onbekend|bestaat niet)/i,
  ],
];

const ENHANCED = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** What an answer that stands in a bounce means. `status` is what a report says apart from the text. */
export function diagnose(text: string, status: string | null): Diagnosis {
  const reply = text.slice(0, 4_000);
  const verdict = classifyReply({ phase: 'dsn', code: replyCodeIn(reply), enhanced: status, text: reply });
  const inside = ENHANCED.exec(reply)?.[1] ?? null;
  const isGeneral = status === null || /^\d\.[05]\.\d$/.test(status);
  const best = isGeneral ? (inside ?? status) : status;
  const foreign = verdict.rule.endsWith('without a rule') ? IN_OTHER_LANGUAGES.find(([, pattern]) => pattern.test(reply)) : undefined;
  const result = foreign === undefined ? verdict : { class: foreign[0], rule: 'reason in another language' };
  return { isHard: result.class === 'hard', class: result.class, rule: result.rule, status: best };
}

/** The reply code of RFC 5321 in a text; the last one where a transcript shows several. */
function replyCodeIn(text: string): number | null {
  const codes = [...text.matchAll(/(?:^|[\s:;"'(<,#>])([45][0-7]\d)(?=[ -](?:\S)|\s*$)/gm)].map((match) => Number(match[1]));
  return codes.find((code) => code >= 500) ?? codes[0] ?? null;
}
