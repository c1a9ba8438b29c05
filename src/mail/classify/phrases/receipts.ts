import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** Promises of an answer later. */
export const PROMISE = new PhraseList([
  group('en', 'usual wording; SpamAssassin corpus')`
    (aim to|endeavo[u]r|shall|try to|will) <60>(answer|be in touch|contact|get back|reply|respond)
  `,
]);

/** Subjects that acknowledge receipt. Not searched for after the prefix of an answer. */
export const RECEIPT_SUBJECTS = new PhraseTable([
  group('de', 'usual wording')`
    ^[vielen ]dank für ihre (anfrage|e[-]mail|nachricht)
    ^eingangsbestätigung
    ^empfangsbestätigung
  `,
  group('en', 'usual wording; BounceParser')`
    ^acknowledg[e]ment[ of receipt]$
    ^confirmation of receipt
    ^receipt (confirmation|of)
    ^thank you for (contacting|your (e[-]mail|enquiry|inquiry|message|request))
    ^thanks for (contacting|your (e[-]mail|enquiry|message))
    ^we [have ]received your
  `,
  group('en', 'Zendesk, Freshdesk, RT, OTRS and other help desks')`
    (case|request|ticket) (acknowledg[e]ment|confirmation|created|opened|received)|
    ^(the|your) (case|e[-]mail|enquiry|inquiry|message|request|support request|ticket)|<40>(has been|is|was) [successfully ](created|logged|opened|received|registered|submitted)
    ^[\[](case|incident|request|ticket)( |#|:|-)<40>[\]]<20>(acknowledg|created|opened|received)
  `,
  group('es', 'usual wording')`
    ^acuse de recibo
    ^gracias por (contactar|escribirnos|su (correo|mensaje))
  `,
  group('fr', 'usual wording')`
    ^accusé de réception
    ^merci (de nous avoir contact|pour votre (demande|e[-]mail|message))
  `,
  group('it', 'usual wording')`
    ^conferma di (ricevimento|ricezione)
    ^grazie per (averci contattato|il (suo|tuo|vostro) messaggio)
  `,
  group('ja', 'usual wording')`
    ^お問[い]合[わ]せ<20>(ありがとう|受付)
    ^受付(のお知らせ|完了)
  `,
  group('nl', 'usual wording')`
    ^bedankt voor (je|uw) (aanvraag|bericht|e[-]mail)
    ^ontvangstbevestiging
  `,
  group('pl', 'usual wording')`
    ^dziękujemy za (kontakt|wiadomość)
    ^potwierdzenie (odbioru|otrzymania)
  `,
  group('pt', 'usual wording')`
    ^[muito ]obrigad(a|o) (pelo|por) [entrar em |seu ]contat
  `,
  group('ru', 'usual wording')`
    ^спасибо за (ваше|обращение)
  `,
  group('sv', 'usual wording')`
    ^mottagningsbekräftelse
    ^tack för (din|ditt) (förfrågan|meddelande|mejl)
  `,
]);

/** Sentences that acknowledge receipt and promise an answer later. */
export const RECEIPT_SENTENCES = new PhraseTable(
  [
    group('bg', 'usual wording')`
      получихме (вашето|вашия)
    `,
    group('cs', 'usual wording')`
      (byl|byla|bylo) <10>(přijat|zaevidován|zaregistrován)
      jsme <10>(obdrželi|přijali)
    `,
    group('da', 'usual wording')`
      vi har modtaget (din|dit|jeres)
    `,
    group('de', 'usual wording')`
      ihre (anfrage|e[-]mail|mail|nachricht) (haben wir|ist|wurde)<60>(eingegangen|empfangen|erhalten)
      wir haben ihre (anfrage|e[-]mail|nachricht)<40>erhalten
    `,
    group('el', 'usual wording')`
      λάβαμε το
    `,
    group('en', 'Zendesk, Freshdesk, RT, OTRS and other help desks; public mailing lists')`
      (assigned|given) #<digit>
      (assigned|given) [a[n] |the ](case|id|issue|reference|ticket|tracking)
      (case|reference|ticket) (#|id|number)
      (created|opened) [a |the |your ](case|request|ticket)
      (due to|because of) <20>high volume
      (i|we)['ve| have] [successfully ]received your (e[-]mail|enquiry|inquiry|mail|message|request|submission)
      a [support ](case|request|ticket) <20>(has been|was) (created|opened)
      thank you for contacting|<200><promise>
      thank you for your (contact|e[-]mail|enquiry|inquiry|interest|mail|message|request)|<200><promise>
      your (e[-]mail|enquiry|inquiry|mail|message|request|support request|ticket) [<word> ](has been|was) [successfully ](accepted|assigned|created|logged|opened|received|registered|submitted)
    `,
    group('es', 'usual wording')`
      hemos recibido su
      su (correo|mensaje|solicitud) ha sido (recibid|registrad)
    `,
    group('fi', 'usual wording')`
      olemme vastaanottaneet
    `,
    group('fr', 'usual wording')`
      (j'|nous)<10>(ai|avons) bien reçu votre
      votre (courriel|demande|e[-]mail|message) a [bien ]été (enregistr|pris|reçu)
    `,
    group('he', 'usual wording')`
      (הודעתך|פנייתך) <10>התקבל
    `,
    group('hr', 'usual wording')`
      (smo|upit je) (primili|zaprimili|zaprimljen)
    `,
    group('hu', 'usual wording')`
      (levelét|megkeresését|üzenetét) <10>megkaptuk
    `,
    group('it', 'usual wording')`
      abbiamo ricevuto [il |la ](sua|suo|tua|tuo|vostr(a|o))
    `,
    group('ja', 'contact forms on public mailing lists')`
      お問[い]合[わ]せ(いただき|ありがとう|を|内容|頂き)
      受け付けました
      受付いたしました
    `,
    group('ko', 'usual wording')`
      (메일|문의)<8>(받았|접수되)
      문의<20>(감사|접수)
    `,
    group('nb', 'usual wording')`
      vi har mottatt (din|ditt)
    `,
    group('nl', 'usual wording')`
      uw (aanvraag|bericht|e[-]mail) is ontvangen
      wij hebben uw <40>ontvangen
    `,
    group('pl', 'usual wording')`
      dziękujemy za (kontakt|wiadomość|zgłoszenie)
      otrzymaliśmy
    `,
    group('pt', 'usual wording')`
      recebemos [a ]su
    `,
    group('ro', 'usual wording')`
      am primit (mesajul|solicitarea)
    `,
    group('ru', 'usual wording')`
      (ей|ему) присвоен номер
      ваш(а|е) (заявка|обращение|письмо|сообщение)<40>(зарегистрир|получен|принят)
    `,
    group('sk', 'usual wording')`
      sme <10>(dostali|obdržali|prijali)
    `,
    group('sv', 'usual wording')`
      vi har (mottagit|tagit emot) (din|ditt|er)
    `,
    group('tr', 'usual wording')`
      (mesajınız|talebiniz|başvurunuz) <20>(alındı|alınmıştır|ulaşmıştır)
    `,
    group('uk', 'usual wording')`
      (ваш(а|е|у)|ваше) (звернення|запит|лист|повідомлення)<30>(зареєстр|отриман|прийнят)
    `,
    group('zh', 'usual wording')`
      已收到(你|您)的
      收到(你|您)的(来信|留言|邮件)
    `,
  ],
  { promise: PROMISE },
);
