import type { Mail } from './message.ts';
import { threadSubject } from './subject.ts';

/** A mail that says nothing but this, in its own words or its subject, asks to be left alone. */
const ALONE = new RegExp(
  `^[\\s"'*.!,-]*((please|pls|bitte|graag|gerne|por favor|s['’]il (vous|te) pla[iî]t|svp|per favore|alstublieft|a\\.u\\.b\\.|proszę|пожалуйста|lütfen|请|請|どうか)[\\s,]*)?(${[
    'unsubscribe( me)?( now)?|unsubscribed|unsub|un-subscribe|stop|stop (it|mailing|emailing|e-mailing|spamming|sending)( me)?|remove( me| us)?( now)?|opt[ -]?out( me)?( of (your|these|all|any|future|further) [^.!?\\n]{0,30})?|take me off|cancel subscription|no more (e-?mails?|messages)( please)?|leave me alone|delete me',
    'abmelden|abbestellen|austragen|abmeldung|stopp|keine (e-?mails|mails|werbung|weiteren (e-?mails|mails|nachrichten))( mehr)?|austragen bitte|löschen sie mich',
    'd[ée]sabonner|d[ée]sabonnement|d[ée]sinscri(re|ption)|me d[ée]sinscrire|me d[ée]sabonner|arr[êe]tez',
    'baja|darme de baja|dar de baja|eliminar|d[ée]me de baja|cancelar (la )?suscripci[óo]n|no m[áa]s (correos|emails)|quiero darme de baja',
    'descadastrar|remover|cancelar (a )?(inscri[çc][ãa]o|subscri[çc][ãa]o)|anular (a )?subscri[çc][ãa]o|sair da lista|n[ãa]o (quero )?mais e-?mails',
    "cancellami|disiscriv(i|ere|imi|etemi)|annulla (l[’'])?iscrizione|cancellazione|rimuovimi|rimuovetemi|cancellatemi",
    'uitschrijven|afmelden|schrijf mij uit|uitschrijving|avregistrera|avprenumerera|avsluta prenumeration|afmeld( mig)?|meld meg av|avmeld|poista|peruuta tilaus',
    'wypisz( mnie)?|wypisać|rezygnuję|odhlásit|odhlaste mě|leiratkozás|leiratkozom|dezabonare|отписаться|отпишите( меня)?|отписка|відписатися|abonelikten çık|listeden çık(ar)?|çıkar',
    '退订|退訂|取消订阅|取消訂閱|不要再发(了)?|td|配信停止|配信解除|解除|購読解除|退会|수신 ?거부|구독 ?취소|הסר(ה)?|להסיר|הסר אותי|إلغاء الاشتراك|الغاء الاشتراك',
  ].join(
    '|',
  )})([\\s,]*(please|pls|bitte|danke|thanks?|thank you|merci|gracias|grazie|dank|tack|dziękuję|спасибо|me|this|from( (this|your|the))? (e-?mail |mailing )?list))*[\\s"'*.!,;:)-]*$`,
  'iu',
);

/** Sentences with which people ask for it, wherever they stand in a short mail. */
const REQUEST = new RegExp(
  [
    '\\b(please|pls|kindly|could you|can you|i (want|would like|wish|need|ask|request|demand)( you)? to( be)?|want to|i.d like( you)? to( be)?)\\b[^.!?\\n]{0,40}\\b(unsubscribed?(?! from (?!your|this|the|these|any|all|here))|(remov|delet|eras)(e|ed) (me|us|my|our|from)|take (me|us|my) [^.!?\\n]{0,30}off([.!\\n]|$| (of )?(your|the|this) (mailing|e-?mail|contact|list|distribution|database|newsletter))|opt(ed)? (me )?out(?! of (?!your|this|these|the (list|mail|e-?mail|newsletter)|any|all|future|further|receiving))|be taken off)',
    '\\b(remove|delete) (me|us|my (e-?mail|address|name|data|details|contact)[^.!?\\n]{0,20}|this (e-?mail )?address) (from|off|out of) (your|the|this|any|all|these)\\b|\\bunsubscribe (me|us|this|my)\\b(?! \\w+ from (?!your|this|the|these|any|all))',
    '(?<!\\b(can ?not|can.t|could ?n[o.]t|wo.t|will not|do not|don.t|never) )\\b(stop|quit|cease|refrain from) (e-?mailing|mailing|sending|contacting|spamming|messaging|writing|bothering)\\b|\\b(do not|don.t|never) (ever )?(e-?mail|mail|contact|write|message|send|spam|bother)[^.!?\\n]{0,30}\\b(again|any ?more|any more (e-?mails?|messages|mails)|any further|anything|unsolicited)\\b|\\b(do not|don.t) (contact|e-?mail|write to) (me|us)[.! \\n]|no (longer|more) (wish|want|interested in) (to )?(receiv\\w+)|not (wish|want) to receive|no further (e-?mails|contact|messages|communication)|take me off (your|this|the)|remove me\\b',
    '(nehmen|nimm|streichen|löschen|entfernen|tragen) sie (mich|uns|meine|unsere|bitte)[^.!?\\n]{0,60}((aus|von) (ihre|eure|de|der|dem|allen)[^.!?\\n]{0,20}(verteiler|liste|datenbank|daten)|aus([.!\\n]|$))|(löschen|entfernen) sie (mich|(bitte )?(meine|unsere) (daten|adresse|e-?mail))|bitte[^.!?\\n]{0,60}(austragen|abmelden|entfernen|löschen|aus (dem|ihrem|eurem) verteiler|von (der|ihrer) liste)|keine (weiteren |mehr )?(e-?mails|mails|nachrichten|werbung|anfragen)[^.!?\\n]{0,30}(mehr|senden|schicken|zu|erhalten|zusenden)|(schreiben|kontaktieren) sie (mich|uns) (bitte )?nicht (mehr|wieder)|keine (weitere )?kontaktaufnahme',
    '(retirez|supprimez|enlevez|désinscri\\w+|désabonn\\w+|radiez)[ -](moi|nous|mon|mes|notre)|(me|nous) (désinscrire|désabonner|radier)|(me|nous) (retirer|supprimer|enlever) d|ne \\S+ (plus|pas) recevoir (vos|de vos|votre|ces|d)|ne (plus|pas) (me |nous )?(recevoir|contacter|écrire|envoyer|solliciter)|arrêtez de (m|nous)|ne (m|nous)[^.!?\\n]{0,12}(contactez|écrivez|envoyez) plus',
    '(d[ée]n?me|darme|darnos|d[ae]rnos|denos|dar) de baja|(elim[íi]n\\w+|b[óo]rr\\w+|qu[íi]t\\w+|s[áa]qu\\w+|ret[íi]r\\w+)(me|nos| mi| mis| nuestro)[^.!?\\n]{0,40}(lista|base|correo|datos)|no (quiero|deseo|queremos|deseamos) (recibir|m[áa]s)|no (me|nos) (env[íi]en?|escriban?|contacten?)( m[áa]s)?|dej(e|en|a) de (enviar|mandar|escribir)',
    '(remov\\w+|retir\\w+|exclu\\w+|elimin\\w+|descadastr\\w+)( |-)(me|o meu|meu|nosso)[^.!?\\n]{0,40}|n[ãa]o (quero|desejo|pretendo) (mais )?receber|parem? de (enviar|mandar|me)|n[ãa]o (me )?(envie|enviem|contacte|contactem|escreva)( mais)?',
    '\\b(cancell|rimuov|elimin|togli)(a|e|i|ate|ete)?(mi|ci|temi|teci)\\b|(cancell|rimuov|elimin|togli)(are|ere|ete|ate|a|i) (il )?(mio|nostro) (indirizzo|contatto|nome)|non (voglio|desidero|desideriamo) (più )?ricevere|(smettete|smetta|smettila) di (inviar|scriver|mandar)|non (contattatemi|scrivetemi|contattarmi|scrivermi|inviatemi)( più)?',
    '(verwijder|schrijf|haal) (mij|me|ons|mijn)[^.!?\\n]{0,40}(uit|van|lijst|bestand)|(mij|me|ons)[^.!?\\n]{0,20}(uitschrijven|afmelden|verwijderen)|geen (e-?mails?|mail|berichten|reclame)( meer)? (meer )?(ontvangen|sturen|te ontvangen)|niet meer (mailen|benaderen|contacteren)|(ta bort|avregistrera|stryk) (mig|oss|min)|inte (längre )?(ha|få|motta) (fler |mer )?(mejl|mail|e-?post|utskick)|(fjern|slet|afmeld|meld) (meg|mig|oss|min)|ikke (ønsker?|vil) (flere|å motta|at modtage)|poistakaa|en halua (enää )?(sähköposti|viestejä)',
    '(proszę|prosze)[^.!?\\n]{0,40}(usunąć|usunięcie|wypisać|wypisanie|wykreśl|nie (wysyłać|kontaktować))|nie (chcę|życzę sobie|wyrażam)[^.!?\\n]{0,30}(otrzymywać|maili|wiadomości|zgody)|(odhlaste|odhlásit|vyřaďte|smažte)[^.!?\\n]{0,20}(mě|mne|nás|z )|nepřeji si|nezasílejte|(töröljön|töröljék|leiratkoz)|(vă rog|va rog)[^.!?\\n]{0,30}(dezabon|ștergeți|stergeti)',
    '(удалите|уберите|исключите|отпишите)[^.!?\\n]{0,40}(меня|нас|мой|наш|из (списка|рассылки|базы))|не (хочу|желаю|хотим) (больше )?получать|(прекратите|перестаньте|хватит) (слать|присылать|писать|отправлять)|не (пишите|присылайте|шлите)[^.!?\\n]{0,20}(больше|мне|нам)|больше не (пишите|присылайте)|(видаліть|відпишіть) (мене|нас)|(beni|bizi|adresimi)[^.!?\\n]{0,40}(çıkar|silin|kaldır)|(mail|e-?posta) (almak istemiyor|göndermeyin)',
    '(不要|请勿|請勿|别|停止|勿)再?(给我|給我|向我)?(发|發|寄|发送|發送|联系|聯繫|打扰)|(移除|删除|刪除|移出|取消).{0,10}(我|邮箱|订阅|訂閱|名单|名單|列表)|(配信|メール|送信).{0,12}(停止|解除|止めて|やめて|不要)|(送ら|送信し|連絡し)ないで|(リスト|名簿).{0,8}(削除|外して)|(메일|이메일|연락).{0,12}(보내지|그만|중단|하지)|(수신|목록).{0,6}(거부|제외|삭제)|הסירו אותי|תסירו אותי|أزلني|لا ترسل',
  ].join('|'),
  'iu',
);

/** How a mail program writes the subject of the address in List-Unsubscribe (RFC 2369 §3.2). */
const BY_ADDRESS = /^unsubscribe(-[\w-]{8,})?$/i;

const MAX_WORDS = 70;

/**
 * Why a mail asks for no more mail, or null. Only its own words count: footers and quotations speak of unsubscribing too.
 * @param own the text without quotations and signature
 */
export function unsubscribeReason(mail: Mail, own: string): string | null {
  const subject = threadSubject(mail.subject);
  const words = own.trim() === '' ? 0 : own.trim().split(/\s+/).length;
  if (BY_ADDRESS.test(subject) && words <= MAX_WORDS) return 'subject asks for it';
  if (words > MAX_WORDS) return null;
  const opening = own
    .trim()
    .split(/\n\s*\n/)
    .slice(0, 3);
  const firstLines = own.trim().split('\n').slice(0, 3);
  // Greetings come before, names after: one line or paragraph that is the request is enough.
  if ([own, ...opening, ...firstLines].some((text) => text.length < 120 && ALONE.test(text.trim()))) return 'says nothing but that';
  if (REQUEST.test(withoutInstructions(own))) return 'asks for it in a sentence';
  return words <= 3 && ALONE.test(subject) ? 'subject asks for it' : null;
}

/** "To unsubscribe, click here" and the like are said to the reader, not by the sender. */
const withoutInstructions = (text: string) =>
  text.replaceAll(
    /^.*((^|[.!?:;,(]\s*)to|\b(if you|click|you (can|may)|um sich|pour (se|vous)|para (se )?)\b).{0,60}\b(unsubscribe|opt[ -]?out|abzumelden|désabonner|désinscrire|darse de baja|be removed|stop receiving)\b.*$/gim,
    '',
  );
