import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Subjects that programs write, mostly as a prefix of the subject that they answer. */
export const AUTOMATIC_SUBJECTS = new PhraseTable([
  group('af', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^outomatiese antwoord
  `,
  group('ar', 'Outlook and Exchange: "Automatic reply" in this language')`
    رد (تلقائي|آلي)
  `,
  group('az', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^avtomatik cavab
  `,
  group('bg', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^автоматичен отговор
  `,
  group('cs', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automatick(a|á|é|ý) odpov(e|ě)(d|ď)
  `,
  group('cy', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^ateb awtomatig
  `,
  group('de', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^abwesenheits
    ^antwort automatisch
    ^autom.[ ]antwort
    ^automatische (abwesenheit|antwort|eingangsbestätigung|rückantwort|rückmeldung)
  `,
  group('el', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^αυτόματη απάντηση
  `,
  group('en', 'Outlook: Automatic reply, Out of Office AutoReply; Lotus Notes: AUTO; alaveteli, BounceParser')`
    ^auto[ ]:
    ^auto[mated|matic|matically][ |-][generated ](acknowledg[e]ment|answer|mail|message|notification of receipt|reply|respond[er]|response)|
    |(automated|automatic) (reply|response)|[\)|\]]$
    |auto[-](reply|response)|[\)|\]]$
    |autoresponder|[\)|\]]$
  `,
  group('es', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^auto[-]respuesta
    ^contestador autom
    ^mensaje autom(a|á|à)ti(c|que)
    ^respuesta autom(a|á)tica
  `,
  group('et', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automaatne vastus
    ^automaatvastus
  `,
  group('eu', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^erantzun automatikoa
  `,
  group('fa', 'Outlook and Exchange: "Automatic reply" in this language')`
    پاسخ خودکار
  `,
  group('fi', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automaattinen vastaus
  `,
  group('fil', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^awtomatikong (sagot|tugon)
  `,
  group('fr', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^accusé de réception
    ^message autom(a|á|à)ti(c|que)
    ^r(e|é)ponse automatique
  `,
  group('ga', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^freagra uathoibríoch
  `,
  group('he', 'Outlook and Exchange: "Automatic reply" in this language')`
    הודעה אוטומטית
    מענה אוטומטי
    תשובה אוטומטית
  `,
  group('hi', 'Outlook and Exchange: "Automatic reply" in this language')`
    स्वचालित (उत्तर|जवाब)
  `,
  group('hr', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automatski odgovor
  `,
  group('hu', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automatikus válasz
  `,
  group('id', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^balas[an] (automatik|otomatis)
  `,
  group('is', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^sjálfvirkt svar
  `,
  group('it', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^messaggio autom(a|á|à)ti(c|que)
    ^risponditore automatico
    ^risposta automatica
  `,
  group('ja', 'Outlook; contact forms on public mailing lists')`
    自動(応答|返信|送信|配信)
  `,
  group('ko', 'Outlook and Exchange: "Automatic reply" in this language')`
    부재중
    자동[ ](답장|응답|회신)
  `,
  group('lt', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automatinis atsakymas
  `,
  group('lv', 'Outlook; bounce_email')`
    ^arpus biroja
    ^automatiska atbilde
    ^automātisk[ā] atbilde
  `,
  group('ms', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^jawapan (automatik|otomatis)
  `,
  group('nl', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^automatisch (antwoord|bericht)
    ^automatische (beantwoording|reactie)
  `,
  group('pl', 'Outlook; BounceParser')`
    ^[\[]autom[<word>] odpowied
    ^[\[]autoodpowied
    ^[\[]autoresponder
    ^[\[]odpowied(z|ź) autom
  `,
  group('pt', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^mensagem autom(a|á|à)ti(c|que)
    ^resposta autom(a|á|à)tica
    ^resposta de aus(e|ê)ncia
  `,
  group('ro', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^r(a|â|ä|ă)spuns[uri] automat
  `,
  group('ru', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^автоматиче[с]к[<word>] ответ
    ^автоответ
  `,
  group('sl', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^samodejni odgovor
  `,
  group('sq', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^përgjigje automatike
  `,
  group('sr', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^(авто|ауто)матски одговор
  `,
  group('sv', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^auto[ ]svar
    ^automatisk[t] svar
  `,
  group('th', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^การตอบกลับอัตโนมัติ
    ^ตอบกลับอัตโนมัติ
  `,
  group('tr', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^otomatik (cevap|yan(i|ı)t)
  `,
  group('uk', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^автовідповідь
    ^автоматична відповідь
  `,
  group('vi', 'Outlook and Exchange: "Automatic reply" in this language')`
    ^(phản hồi|trả lời) tự động
    ^tự động (phản hồi|trả lời)
  `,
  group('zh', 'Outlook and Exchange: "Automatic reply" in this language')`
    自动(回复|回覆|应答|答复)
    自動(回复|回覆)
  `,
]);
