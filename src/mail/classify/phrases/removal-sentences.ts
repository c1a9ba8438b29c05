import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "Please", "I want to": the start of a request. */
export const ASK = new PhraseList([
  group('en', 'usual wording')`
    (can|could) you
    i (ask|demand|need|request|want|wish|would like)[ you] to[ be]
    i'd like[ you] to[ be]
    kindly
    please
    pls
    want to
  `,
]);

/** "Your list": the thing to be taken off. */
export const LIST = new PhraseList([
  group('en', 'usual wording')`
    [of ](the|this|your) (contact|database|distribution|e[-]mail|list|mailing|newsletter)
  `,
]);

/** "Never" and the like: "never stop writing" is no request. */
export const NEVER = new PhraseList([
  group('en', 'usual wording')`
    can't
    can[ ]not
    could[ ]n't
    do not
    don't
    never
    will not
    wo[n]'t
  `,
]);

/** Sentences with which people ask for no more email, wherever they stand in a short message. */
export const REMOVAL_SENTENCES = new PhraseTable(
  [
    group('ar', 'usual wording')`
      أزلني
      لا ترسل
    `,
    group('cs', 'usual wording')`
      (odhlaste|odhlásit|smažte|vyřaďte)<20 in sentence>(mne|mě|nás|z )
      nepřeji si
      nezasílejte
    `,
    group('da', 'usual wording')`
      (afmeld|fjern|meld|slet) (meg|mig|min|oss)
      ikke (vil|ønske[r]) (at modtage|flere|å motta)
    `,
    group('de', 'usual wording')`
      (entfernen|löschen) sie (mich|[bitte ](meine|unsere) (adresse|daten|e[-]mail))
      (entfernen|löschen|nehmen|nimm|streichen|tragen) sie (bitte|meine|mich|uns|unsere)<60 in sentence>(aus|von) (allen|de[m|r]|eure|ihre)<20 in sentence>(daten|liste|verteiler)
      (entfernen|löschen|nehmen|nimm|streichen|tragen) sie (bitte|meine|mich|uns|unsere)<60 in sentence>aus<stop>
      (kontaktieren|schreiben) sie (mich|uns) [bitte ]nicht (mehr|wieder)
      bitte<60 in sentence>(abmelden|aus (dem|eurem|ihrem) verteiler|austragen|entfernen|löschen|von (der|ihrer) liste)
      keine [mehr |weiteren ](anfragen|e[-]mails|mails|nachrichten|werbung)<30 in sentence>(erhalten|mehr|schicken|senden|zu|zusenden)
      keine [weitere ]kontaktaufnahme
    `,
    group('en', 'usual wording')`
      |<ask>|<40 in sentence>|(delet|eras|remov)(e|ed) (from|me|my|our|us)
      |<ask>|<40 in sentence>|be taken off
      |<ask>|<40 in sentence>|opt[ed] [me ]out of (all|any|further|future|receiving|the (e[-]mail|list|mail|newsletter)|these|this|your)
      |<ask>|<40 in sentence>|opt[ed] [me ]out<not _of >
      |<ask>|<40 in sentence>|take (me|my|us) <30 in sentence>off <list>
      |<ask>|<40 in sentence>|take (me|my|us) <30 in sentence>off<stop>
      |<ask>|<40 in sentence>|unsubscribe[d] from (all|any|here|the|these|this|your)
      |<ask>|<40 in sentence>|unsubscribe[d]<not _from >
    `,
    group('en', 'usual wording; SpamAssassin corpus')`
      <not after |<never>_>|(cease|quit|refrain from|stop) (bothering|contacting|e[-]mailing|mailing|messaging|sending|spamming|writing)|
      no (longer|more) (interested in|want|wish) [to ]receiv<letters>
      no further (communication|contact|e[-]mails|messages)
      not (want|wish) to receive
      remove me|
      take me off (the|this|your)
      |(delete|remove) (me|my (address|contact|data|details|e[-]mail|name)<20 in sentence>|this [e[-]mail ]address|us) (from|off|out of) (all|any|the|these|this|your)|
      |(do not|don't) (contact|e[-]mail|write to) (me|us)(_|<stop>)
      |(do not|don't|never) [ever ](bother|contact|e[-]mail|mail|message|send|spam|write)<30 in sentence>|(again|any further|any[ ]more|anything|unsolicited)|
      |unsubscribe (me|my|this|us) <letters> from (all|any|the|these|this|your)
      |unsubscribe (me|my|this|us)|<not _<letters> from >
    `,
    group('es', 'usual wording')`
      (b(o|ó)rr|elim(i|í)n|qu(i|í)t|ret(i|í)r|s(a|á)qu)<letters>( mi| mis| nuestro|me|nos)<40 in sentence>(base|correo|datos|lista)
      (d(a|e)rnos|d(e|é)[n]me|dar|darme|darnos|denos) de baja
      dej(a|e|en) de (enviar|escribir|mandar)
      no (deseamos|deseo|queremos|quiero) (m(a|á)s|recibir)
      no (me|nos) (contacte|env(i|í)e|escriba)
    `,
    group('fi', 'usual wording')`
      en halua [enää ](sähköposti|viestejä)
      poistakaa
    `,
    group('fr', 'usual wording')`
      (désabonn<letters>|désinscri<letters>|enlevez|radiez|retirez|supprimez)( |-)(mes|moi|mon|notre|nous)
      (me|nous) (désabonner|désinscrire|radier)
      (me|nous) (enlever|retirer|supprimer) d
      arrêtez de (m|nous)
      ne (m|nous)<12 in sentence>(contactez|envoyez|écrivez) plus
      ne (pas|plus) [me |nous ](contacter|envoyer|recevoir|solliciter|écrire)
      ne <word> (pas|plus) recevoir (ces|d|vos|votre)
    `,
    group('he', 'usual wording')`
      הסירו אותי
      תסירו אותי
    `,
    group('hu', 'usual wording')`
      leiratkoz
      töröljék
      töröljön
    `,
    group('it', 'usual wording')`
      (cancell|elimin|rimuov|togli)(a|are|ate|ere|ete|i) [il ](mio|nostro) (contatto|indirizzo|nome)
      (smetta|smettete|smettila) di (inviar|mandar|scriver)
      non (contattarmi|contattatemi|inviatemi|scrivermi|scrivetemi)
      non (desideriamo|desidero|voglio) [più ]ricevere
      |(cancell|elimin|rimuov|togli)[a|ate|e|ete|i](ci|mi|teci|temi)|
    `,
    group('ja', 'usual wording')`
      (メール|送信|配信)<12>(やめて|不要|停止|止めて|解除)
      (リスト|名簿)<8>(削除|外して)
      (送ら|送信し|連絡し)ないで
    `,
    group('ko', 'usual wording')`
      (메일|연락|이메일)<12>(그만|보내지|중단|하지)
      (목록|수신)<6>(거부|삭제|제외)
    `,
    group('nl', 'usual wording')`
      (haal|schrijf|verwijder) (me|mij|mijn|ons)<40 in sentence>(bestand|lijst|uit|van)
      (me|mij|ons)<20 in sentence>(afmelden|uitschrijven|verwijderen)
      geen (berichten|e[-]mail[s]|mail|reclame)[ meer] [meer ](ontvangen|sturen|te ontvangen)
      niet meer (benaderen|contacteren|mailen)
    `,
    group('pl', 'usual wording')`
      (prosze|proszę)<40 in sentence>(nie (kontaktować|wysyłać)|usunięcie|usunąć|wykreśl|wypisanie|wypisać)
      nie (chcę|wyrażam|życzę sobie)<30 in sentence>(maili|otrzymywać|wiadomości|zgody)
    `,
    group('pt', 'usual wording')`
      (descadastr|elimin|exclu|remov|retir)<letters>( |-)(me|meu|nosso|o meu)
      n(a|ã)o (desejo|pretendo|quero) [mais ]receber
      n(a|ã)o [me ](contacte|envie|escreva)
      pare[m] de (enviar|mandar|me)
    `,
    group('ro', 'usual wording')`
      v(a|ă) rog<30 in sentence>(dezabon|stergeti|ștergeți)
    `,
    group('ru', 'usual wording')`
      (исключите|отпишите|удалите|уберите)<40 in sentence>(из (базы|рассылки|списка)|меня|мой|нас|наш)
      (перестаньте|прекратите|хватит) (отправлять|писать|присылать|слать)
      больше не (пишите|присылайте)
      не (желаю|хотим|хочу) [больше ]получать
      не (пишите|присылайте|шлите)<20 in sentence>(больше|мне|нам)
    `,
    group('sv', 'usual wording')`
      (avregistrera|stryk|ta bort) (mig|min|oss)
      inte [längre ](få|ha|motta) [fler |mer ](e[-]post|mail|mejl|utskick)
    `,
    group('tr', 'usual wording')`
      (adresimi|beni|bizi)<40 in sentence>(kaldır|silin|çıkar)
      (e[-]posta|mail) (almak istemiyor|göndermeyin)
    `,
    group('uk', 'usual wording')`
      (видаліть|відпишіть) (мене|нас)
    `,
    group('zh', 'usual wording')`
      (不要|停止|别|勿|請勿|请勿)[再][向我|給我|给我](发|发送|寄|打扰|發|發送|联系|聯繫)
      (删除|刪除|取消|移出|移除)<10>(列表|名单|名單|我|訂閱|订阅|邮箱)
    `,
  ],
  { ask: ASK, list: LIST, never: NEVER },
);
