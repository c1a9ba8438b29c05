/** What a person wrote, apart from what they answer to and what their mail program added. */

/** "wrote" and "sent", as mail programs end the line that introduces a quotation. */
const WROTE =
  'wrote|writes|a écrit|a ecrit|écrivait|schrieb|schreibt|escribió|escribio|escreveu|ha scritto|scrive|schreef|het volgende geschreven|geschreven|skrev|følgende|kirjoitti|napisał|napisal|napisał\\(a\\)|napsal|napsal\\(a\\)|napísal|írta|a scris|написал|написав|пише|пишет|έγραψε|şunu yazdı|yazdı|đã viết|menulis|写道|寫道|のメール|さんは書きました|님이 작성|작성|כתב|كتب';

/** How such a line begins: "On", or a date. */
const INTRODUCES =
  /^(on|le|am|el|il|em|op|den|dnia|w dniu|dne|kl|på|на|в|at|\p{L}{2,5}\.?,? \d{1,2}\.?|\d{1,4}[-/.]\d{1,2}\S*|\d{1,2} \p{L}+\.?|\d{4}年\S*|在|於|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|пн|вт|ср|чт|пт|сб|вс)(?=[\s,.])/iu;
const ENDS_IN_WROTE = new RegExp(`(?<!\\p{L})(${WROTE})[^\\p{L}]{0,12}$|(?<!\\p{L})(${WROTE})(?!\\p{L}).{0,150}[:：]\\s*$`, 'iu');
const NAMED_WROTE = new RegExp(`^.{0,200}<[^<>\\s]+@[^<>\\s]+>.{0,40}(${WROTE})(?!\\p{L})(.{0,60}[:：]|[^\\p{L}]{0,12})\\s*$`, 'iu');
const DATED_SENDER =
  /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[ T]\d{1,2}:\d{2}.{0,120}(<.*>:?|GMT[+-]\d.{0,80})$|^\d{4}\/\d{1,2}\/\d{1,2} .{1,80}<[^<>]+@[^<>]+>:?$/;

/** Lines between the answer and the mail it answers, or one that is passed on. */
const SEPARATOR = new RegExp(
  [
    "^[\\s*>_-]*[-_*=]{2,}\\s*(on .{1,150}|(original|forwarded|reply|reply to) message|original appointment|begin forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message (d[’']origine|original|initial|transféré)|mensaje (original|reenviado)|mensagem (original|encaminhada)|messaggio (originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|(oryginalna )?wiadomość( oryginalna| przekazana)?|původní zpráva|(исходное|оригинальное|пересылаемое) сообщение|orijinal (ileti|mesaj)|original ?message|原始邮件|原始郵件|轉寄郵件|转发邮件|元のメッセージ|転送メッセージ|원본 (메시지|메일)|tin nhắn gốc)\\s*[-_*=\\s]*",
    '^begin forwarded message:?$',
    '^_{20,}$',
  ].join('|'),
  'iu',
);

const FROM_LABEL =
  /^[\s>*_|]*(from|von|de|da|van|från|fra|od|lähettäjä|от|кому|gönderen|kimden|expéditeur|remitente|发件人|寄件者|寄件人|差出人|送信者|보낸 ?사람|מאת|من)\s?\*?\s?[:：]/iu;
const HEADER_LABEL =
  /^[\s>*_|]*(sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|date d'envoi|à|objet|enviado( el)?|fecha|para|asunto|enviada( em)?|data|assunto|inviato|risposta|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|wysłano|do|temat|odesláno|komu|předmět|дата|отправлено|тема|tarih|konu|发送时间|收件人|主题|寄件日期|收件者|主旨|送信日時|日時|宛先|件名|보낸 ?날짜|받는 ?사람|제목)\s?\*?\s?[:：]/iu;

const SIGNATURE =
  /^(--|—|–)\s?$|^(sent|envoyé|gesendet|von meinem|enviado|inviato|verzonden|verstuurd|skickat|sendt|wysłane|wysłano|отправлено|gönderildi|发自|從我的|iphoneから|내 iphone|получи)\b.{0,60}(from|iphone|ipad|android|mobile|samsung|outlook|mail|blackberry|handy|telefon|smartphone|phone|galaxy|huawei|xiaomi|yahoo).{0,60}$|^get outlook for .{0,40}$|^(发自我的|从我的).{0,40}$/iu;

/** A line of a list server or of a provider that stands below every mail. */
const FOOTER = /^_{10,}$|^(to unsubscribe|you (are|have) receiv\w+ this|to view this discussion|visit this topic)\b/i;

const MAX_LINES = 1_500;

export interface QuoteParts {
  /** The person's own words, without quotations and signature. */
  own: string;
  /** Whether anything was quoted. */
  hasQuote: boolean;
}

/** Takes a text apart. Pure, in one pass over its lines. */
export function splitQuote(text: string): QuoteParts {
  const lines = text.split('\n', MAX_LINES).map((line) => line.slice(0, 2_000).trimEnd());
  const own: string[] = [];
  let hasQuote = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (/^\s*[>|＞]/.test(line)) {
      hasQuote = true;
      continue;
    }
    const introduction = introductionAt(lines, index);
    if (introduction > 0) {
      hasQuote = true;
      const next = nextText(lines, index + introduction);
      // Above marked lines there may be more of the person's words below; above unmarked ones it can't be told.
      const isTop = own.every((written) => written === '');
      if (!/^\s*[>|＞]/.test(next) && !isTop) break;
      index += introduction - 1;
      continue;
    }
    if (SEPARATOR.test(line) || isHeaderBlock(lines, index)) {
      hasQuote = true;
      break;
    }
    if (SIGNATURE.test(line.trim()) || FOOTER.test(line)) {
      hasQuote ||= lines.slice(index).some((rest, offset) => /^\s*>/.test(rest) || introductionAt(lines, index + offset) > 0);
      break;
    }
    own.push(line);
  }
  return { own: tidy(own), hasQuote };
}

/** How many lines from here introduce a quotation ("On … <a@b> wrote:" is often broken into two or three); 0 for none. */
function introductionAt(lines: readonly string[], index: number): number {
  const first = lines[index] as string;
  if (first.length < 5 || first.length > 400) return 0;
  if (DATED_SENDER.test(first.trim()) || NAMED_WROTE.test(first)) return 1;
  if (!INTRODUCES.test(first.trimStart())) return 0;
  let joined = '';
  for (let count = 1; count <= 5 && index + count <= lines.length; count++) {
    const line = lines[index + count - 1] as string;
    if (count > 1 && (/^\s*>/.test(line) || joined.length > 400)) return 0;
    joined += ` ${line}`;
    if (ENDS_IN_WROTE.test(joined) && /\d/.test(joined)) return count;
  }
  return 0;
}

/** A copied header ("From: … Sent: … To: …"), as Outlook puts above what it quotes. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!FROM_LABEL.test(lines[index] as string)) return false;
  const labels = lines.slice(index + 1, index + 8).filter((line) => HEADER_LABEL.test(line));
  return labels.length >= 2;
}

const nextText = (lines: readonly string[], from: number) => lines.slice(from, from + 6).find((line) => line.trim() !== '') ?? '';

function tidy(lines: string[]): string {
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/[\s_*=~#+-]+$/, '')
    .trim();
}
