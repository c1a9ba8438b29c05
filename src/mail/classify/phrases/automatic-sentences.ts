import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "Automatic", with anything that connects it to "reply". */
export const AUTOMATIC = new PhraseList([
  group('en', 'the programs of MACHINE_SENTENCES')`
    auto[mated|matic|matically][( |-)(created|generated|sent)]( |-)
  `,
]);

/** Sentences that only a program writes about its own message. */
export const MACHINE_SENTENCES = new PhraseTable(
  [
    group('ar', 'usual wording')`
      رد تلقائي
    `,
    group('cs', 'usual wording')`
      automaticky (generovan|vytvořen)
    `,
    group('da', 'usual wording')`
      automatisk (besked|genereret|svar)
      dette er (en|et) auto
    `,
    group('de', 'usual wording')`
      automatisch (erstellt|erzeugt|generiert|verschickt|versandt)
      automatische (antwort|eingangsbestätigung|nachricht)
      bitte [antworten sie ]nicht auf diese
      dies[e|er|es] (e[-]mail|ist|mail|nachricht)<40>automatisch
    `,
    group('en', 'autoresponders; alaveteli, public mailing lists')`
      (account|address|e[-]mail (account|address)|inbox|mailbox) is (no longer|not|un)[ ][being ](attended|monitored)
      automated (reply|response) to (the|your)
      automatically generated (e[-]mail|message|reply|response)
      do not (reply|respond) to this [auto[-]generated |automated |automatic ](e[-]mail|mail|message)
      only notification you will receive
      this (e[-]mail|mail|message|reply|response) (has been|is|was) (auto[-]|automatically)[[ ](created|generated|sent)]|
      this is a[n] <automatic>[e[-]mail ](acknowledg[e]ment|answer|auto[-]reply|e[-]mail|mail|message|notification|reply|response)
      unmonitored (address|e[-]mail|inbox|mailbox)
      you will receive only one [such ]notification
      |(auto[-]reply|auto[-]response|autoresponder) (mail|message|to your)
    `,
    group('es', 'usual wording')`
      (correo|mensaje|respuesta) [generad(a|o) |gerad(a|o) ]autom(a|á)tic
      este (correo |e[-]mail |es un |mensaje )<40>autom(a|á)tic
      no responda a este
    `,
    group('fr', 'usual wording')`
      (courriel|e[-]mail|message|réponse) (automatique|généré automatiquement)
      merci de ne pas répondre
      ne pas répondre à ce
    `,
    group('he', 'usual wording')`
      תשובה אוטומטית
    `,
    group('hu', 'usual wording')`
      automatikus üzenet
    `,
    group('it', 'usual wording')`
      (messaggio|risposta) [generat(a|o) ]automatic
      si prega di non rispondere
    `,
    group('ja', 'contact forms on public mailing lists')`
      自動(で(送信|返信|配信)|応答|的に(返信|送信)|返信|送信|配信)
    `,
    group('ko', 'usual wording')`
      발신[ ]전용
      자동[ ](답장|발송|응답|회신)
    `,
    group('nl', 'usual wording')`
      automatisch (bericht|gegenereerd|verzonden)
      dit is een automatisch
    `,
    group('pl', 'usual wording')`
      wiadomość [została ][wygenerowana ]automatyczn
    `,
    group('pt', 'usual wording')`
      (mensagem|resposta) [generad(a|o) |gerad(a|o) ]autom(a|á)tic
      não responda
    `,
    group('ru', 'usual wording')`
      автоматическ(и|ий|ое) (ответ|сгенерирован|создан|сообщение)
      не отвечайте на это
      это автоматическ
    `,
    group('sv', 'usual wording')`
      detta är ett auto
    `,
    group('tr', 'usual wording')`
      otomatik (mesaj|olarak|yanıt)
    `,
    group('zh', 'usual wording')`
      系统自动
      自动(发送|回复|回覆|答复)
      請勿[直接]回覆
      请勿[直接]回复
    `,
  ],
  { automatic: AUTOMATIC },
);
