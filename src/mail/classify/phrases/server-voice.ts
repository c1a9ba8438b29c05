import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** Words for the recipients that a notice is about. */
export const RECIPIENTS = new PhraseList([
  group('en', 'the servers of SERVER_VOICE')`
    address[es|\(es\)]
    destination[s]
    recipient[s|\(s\)]
    user[s|\(s\)]
  `,
]);

/**
 * Sentences in which a mail server writes about itself and about what it tried. They identify a server, whatever address it writes from.
 */
export const SERVER_VOICE = new PhraseTable(
  [
    group('any', 'transcripts of SMTP (RFC 5321); field names of RFC 3464; Exchange; Zoho')`
      (\<\<\<|\<--) <not <letters> >(4|5)<digit><digit>
      (\>\>\>|=\>|--\>|sent:) (bdat|data|ehlo|helo|mail from|rcpt to)
      (diagnostic-code|final-recipient|reporting-mta|remote-mta):
      RESOLVER.ADR.
      error_code :
      msexch:
      remote server returned '
    `,
    group('cs', 'Exchange: the diagnostic part in this language')`
      diagnostické informace pro správce
    `,
    group('da', 'Exchange: the diagnostic part in Danish and Norwegian')`
      diagnosti(sk|ske) (informasjon|oplysninger) (for|til) administrator
    `,
    group('de', 'Exim, qmail and Postfix in this language; Exchange; Lotus Domino')`
      (an|bei) [die |den |der ]folgende[n|r] (adresse|empfänger)
      automatisch von <3 words> mail
      diagnoseinformationen für administratoren
      folgende (adresse|empfänger)<60>(fehl|nicht)
      hier ist das <40>programm
      ihr dokument:
    `,
    group('en', 'qmail, Postfix, Exim, James, Haraka, DragonFly, OpenSMTPD, PowerMTA, Courier: who writes')`
      (afraid|regret|sorry) <6 words> (able to|could not|couldn't|inform|unable)
      (created|generated|sent) [automatically ]by [a |the ](e[-]mail|mail|smtp) <2 words> (agent|gateway|program|server|software|system)
      automatic[ally] generated <2 words> (bounce|delivery|non[-]delivery)
      delivery status notification from
      this is the <5 words> (agent|daemon|mailer|program|server|subsystem|system)|
      this report relates to (a|your) message
    `,
    group('en', 'Exchange, Exim, Sendmail, Gmail, IronPort, Kerio, Post.Office, SmarterMail, Mimecast, Yahoo: what was tried')`
      (deliver|delivered|delivery|message|reached) <8 words> following <recipient>
      (failed|intended) <recipient>
      (mail|message) [addressed |you sent ]to <word>@<word> <2 words> (can|could|failed|has not|hasn't|is und|was n|wasn't)
      (trouble|unable to) deliver[ing] [the |this |your ](e[-]mail|mail|message)
      did not reach <5 words> recipient
      encountered delivery problem
      error[s] delivering <2 words> (mail|message)
      following <recipient> <2 words> (are|can|could|did|fail|had|has|have|is|were)
      following [<letters> ](e[-]mail|mail|message) <4 words> (could not|undeliver|was not)
      not be delivered to<30>:
    `,
    group('en', 'Sendmail, qmail, Exchange, hMailServer, MDaemon, MailEnable, IMail: transcripts and reports')`
      (generating|originating) server
      (host|mta|server)[ <word>][ <word>] (issued|rejected|replied|reply|responded|response|returned|said):
      (in reply to|after|end of|following) (data|mail from|rcpt to)
      administrators only
      diagnostic information for administrators
      failure reason
      message header[s] follow
      no further [delivery ]attempts
      original message (follows|was received at)
      permanent fatal errors
      rejected (by|recipient) [a |the ](\<|remote)
      removed from the [mail ]queue
      session transcript
      smtp error from
      transcript of [the ](attempts|session)
    `,
    group('es', 'Exchange: the diagnostic part in this language')`
      información de diagnóstico para los administradores
      los siguientes destinatarios
    `,
    group('fi', 'Exchange: the diagnostic part in this language')`
      diagnostiikkatiedot järjestelmänvalvojille
    `,
    group('fr', "qmail in this language; Exchange: Informations de diagnostic à l'attention des administrateurs")`
      destinataires ou groupes
      ici le programme
      informations de diagnostic <60>administrateurs
    `,
    group('hu', 'Exchange: the diagnostic part in this language')`
      diagnosztikai <30>rendszergazdák
    `,
    group('it', 'Exchange: the diagnostic part in this language')`
      informazioni di diagnostica per gli amministratori
      seguenti destinatari
    `,
    group('ja', 'Exchange; providers of Japan')`
      次の(あて先|受信者|宛先)
      管理者(向けの診断|用の診断|用診断)
    `,
    group('ko', 'Exchange: the diagnostic part in this language')`
      관리자용 진단 정보
      다음 받는 사람
    `,
    group('nl', 'Exchange: the diagnostic part in this language')`
      deze geadresseerden
      diagnostische gegevens voor beheerders
    `,
    group('pl', 'Exchange: the diagnostic part in this language')`
      informacje diagnostyczne dla administratorów
      następujących (adresatów|odbiorców)
    `,
    group('pt', 'Exchange: the diagnostic part in this language')`
      (estes|seguintes) destinatários
      informações de diagnóstico para administradores
    `,
    group('ru', 'Exchange; Mail.ru, Yandex')`
      диагностические сведения для администраторов
      письмо (отправлено почтовым|создано автоматически)
      следующим получателям
    `,
    group('sv', 'Exchange: the diagnostic part in this language')`
      diagnostikinformation för administratörer
      följande mottagare
    `,
    group('tr', 'Exchange: the diagnostic part in this language')`
      yöneticiler için tanılama bilgileri
    `,
    group('zh', 'Exchange; Coremail, NetEase 163, QQ; Alibaba: 退信原因')`
      (下列|以下)收件(人|者)
      发送的邮件被退回
      管理(员|員)的(診斷|诊断)
      退信原因
    `,
  ],
  { recipient: RECIPIENTS },
);
