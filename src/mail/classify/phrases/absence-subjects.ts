import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Subjects of absence notices. Not searched for after the prefix of an answer. */
export const ABSENCE_SUBJECTS = new PhraseTable([
  group('ar', 'Outlook: "Out of Office" in this language; usual wording')`
    إجازة
    خارج المكتب
  `,
  group('bg', 'Outlook: "Out of Office" in this language; usual wording')`
    ^в отпуск
    ^отсъств
  `,
  group('ca', 'Outlook: "Out of Office" in this language; usual wording')`
    ^fora de l'oficina
  `,
  group('cs', 'Outlook: "Out of Office" in this language; usual wording')`
    ^dovolená
    ^mimo kancelář
    ^nepřítom
  `,
  group('de', 'Outlook: "Out of Office" in this language; usual wording')`
    ^abwesen
    ^au(ss|ß)er haus
    ^bin (abwesend|im urlaub)
    ^elternzeit
    ^im urlaub
    ^mutterschutz
    ^nicht im (büro|haus)
    ^urlaub
    |(bin ich|ich bin)|<60>(abwesend|nicht im büro|urlaub)
  `,
  group('el', 'Outlook: "Out of Office" in this language; usual wording')`
    ^απουσία
    ^εκτός γραφείου
  `,
  group('en', 'Outlook: Out of Office; Lotus Notes: "… is out of the office"; Exim: vacation; alaveteli, SpamAssassin corpus')`
    ^(annual|maternity|parental|paternity|sick) leave|
    ^away from [my |the ](desk|mail|office)
    ^away message
    ^closed for|
    ^currently (away|out)
    ^holiday (message|notice)
    ^i am [currently ](away|on|out of)
    ^i( have|'ve) [now ]left
    ^office closed|
    ^on (annual leave|holiday|leave|maternity|parental|vacation)
    ^oof
    ^ooo
    ^out( |-)of( |-)[the( |-)]office
    ^public holiday|
    ^sabbatical|
    ^vacation (message|reply|response)
    no longer (at|employed|with|work)
    out of [the ]office[\)|\]][ (:|assistant|auto-reply|autoreply|message|notification|reply|response|until)<200>]$
    |(am|has|is) (left (our|the) (company|firm|organi(s|z)ation)|no longer (at|employed|with|working)|retired)|
    |(am|is) [currently ](away from [my |the ]office|on (holiday|leave|vacation)|out of [the ]office)|
  `,
  group('es', 'Outlook: "Out of Office" in this language; usual wording')`
    ^(estar(e|é)|estoy) (ausente|de vacaciones|fuera)
    ^ausencia
    ^ausente
    ^de vacaciones
    ^fuera de [la ]oficina
    ^vacaciones
  `,
  group('et', 'Outlook: "Out of Office" in this language; usual wording')`
    ^puhkus
  `,
  group('fi', 'Outlook: "Out of Office" in this language; usual wording')`
    ^lomalla
    ^poissa
  `,
  group('fr', 'Outlook: "Out of Office" in this language; usual wording')`
    ^[en ]congés|
    ^[en ]congé|
    ^absen(ce|t)<not _of|>
    ^hors du bureau
    ^indisponib
    ^je (serai|suis) (absent|en congé|en vacances)
    ^message d'absence
  `,
  group('he', 'Outlook: "Out of Office" in this language; usual wording')`
    חופשה
    מחוץ למשרד
  `,
  group('hr', 'Outlook: "Out of Office" in this language; usual wording')`
    ^odsutan
  `,
  group('hu', 'Outlook: "Out of Office" in this language; usual wording')`
    ^házon kívül
    ^szabadság
  `,
  group('it', 'Outlook: "Out of Office" in this language; usual wording')`
    ^(sarò|sono) (assente|fuori|in ferie)
    ^assente
    ^assenza
    ^fuori (sede|ufficio)
    ^in ferie
  `,
  group('ja', 'Outlook: "Out of Office" in this language; usual wording')`
    不在($|です|に|の|通知)
    休暇
  `,
  group('ko', 'Outlook: "Out of Office" in this language; usual wording')`
    출장
    휴가
  `,
  group('lt', 'Outlook: "Out of Office" in this language; usual wording')`
    ^atostog
  `,
  group('lv', 'Outlook: "Out of Office" in this language; usual wording')`
    ^atvaļin
  `,
  group('nb', 'Outlook: "Out of Office" in this language; usual wording')`
    ^ferie
    ^fravær
    ^ikke (på kontoret|til stede)
  `,
  group('nl', 'Outlook: "Out of Office" in this language; usual wording')`
    ^afwezig
    ^buiten kantoor
    ^ik ben (afwezig|(met|op) (vakantie|verlof))
    ^met verlof
    ^niet (aanwezig|op kantoor)
    ^op vakantie
    ^vakantie
  `,
  group('pl', 'Outlook: "Out of Office" in this language; usual wording')`
    ^jestem (na urlopie|nieobecn|poza)
    ^nieobecno
    ^poza biurem
    ^urlop
  `,
  group('pt', 'Outlook: "Out of Office" in this language; usual wording')`
    ^(estarei|estou) (ausente|de f(e|é)rias|fora)
    ^aus(e|ê)ncia
    ^de f(e|é)rias
    ^f(e|é)rias
    ^fora do escrit
  `,
  group('ro', 'Outlook: "Out of Office" in this language; usual wording')`
    ^[în ]concediu
    ^absent din
  `,
  group('ru', 'Outlook: "Out of Office" in this language; usual wording')`
    ^вне офиса
    ^нет на [рабочем ]месте
    ^отпуск
    ^отсутств
    ^я в отпуске
  `,
  group('sk', 'Outlook: "Out of Office" in this language; usual wording')`
    ^mimo kancel(a|á)r
  `,
  group('sl', 'Outlook: "Out of Office" in this language; usual wording')`
    ^odsotnost
  `,
  group('sv', 'Outlook: "Out of Office" in this language; usual wording')`
    ^frånvarande
    ^frånvaro
    ^semester
  `,
  group('tr', 'Outlook: "Out of Office" in this language; usual wording')`
    ^büro dışı
    ^izinde
    ^ofis dışı
    ^yıllık izin
  `,
  group('uk', 'Outlook: "Out of Office" in this language; usual wording')`
    ^[я ]у відпустці
    ^відпустка
    ^відсутн
  `,
  group('zh', 'Outlook: "Out of Office" in this language; usual wording')`
    不在(办公室|辦公室)
    休假
    外出
  `,
]);
