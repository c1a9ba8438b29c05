import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "I am", before a place or state: "out of the office", "on holiday". */
export const I_AM = new PhraseList([
  group('en', 'usual wording')`
    |i( am|'m| will be|'ll be) [currently |now |presently ]
  `,
]);

/** Sentences that absence notices begin with. */
export const ABSENCE_SENTENCES = new PhraseTable(
  [
    group('ar', 'usual wording')`
      خارج المكتب
      في إجازة
    `,
    group('bg', 'usual wording')`
      в отпуск съм
      извън офиса съм
    `,
    group('cs', 'usual wording')`
      jsem <30>(mimo kancelář|na dovolené|nepřítom)
    `,
    group('da', 'usual wording')`
      jeg er <40>(bortreist|fraværende|ikke på kontoret|på ferie|tilbage|tilbake)
    `,
    group('de', 'usual wording')`
      befinde mich <40>(außer|dienstreise|urlaub)
      bin ich <40>(abwesend|außer haus|im urlaub|nicht erreichbar|nicht im)
      e[-]mail[s] w(erden|ird) nicht (bearbeitet|gelesen|weitergeleitet)
      ich bin <60>(abwesend|au(ss|ß)er haus|(im urlaub|in (elternzeit|mutterschutz|urlaub))|nicht (am arbeitsplatz|da|erreichbar|im (büro|haus))|wieder (da|erreichbar|im))
    `,
    group('el', 'usual wording')`
      (βρίσκομαι|είμαι|θα είμαι) (με|σε) άδεια
      απουσιάζω
      εκτός γραφείου
    `,
    group('en', 'alaveteli, SpamAssassin corpus, public mailing lists')`
      <i-am>(away from|out of) [my |the ](country|desk|e-mail|email|office|town)
      <i-am>(away|out of office|travel[l]ing|unavailable)|
      <i-am>on (a business trip|[annual |maternity |parental |paternity |sick ]leave|holiday[s]|vacation)|
      currently (away from|out of) [the ]office
      i( have|'ve) [now ]left [the ](company|firm|organi(s|z)ation)
      limited access to [my ]e[-]mail
      no longer (at|employed|with|work)
      thank you for (the|your) (e[-]mail|mail|message)|<120>(absent|away|not in|on (holiday|leave|vacation)|out of|return)
      will (be back|return) (in|on|to (my|the) (desk|office))|
      |out of [the ]office|<80>(and will|back|from|return|until|with)
    `,
    group('es', 'usual wording')`
      estar(e|é) <30>(ausente|de vacaciones|fuera)
      estoy <30>(ausente|de baja|de vacaciones|fuera de)
      me encuentro <30>(ausente|de vacaciones|fuera)
    `,
    group('et', 'usual wording')`
      olen (kontorist|puhkusel)
    `,
    group('fi', 'usual wording')`
      olen <30>(lomalla|matkoilla|poissa)
    `,
    group('fr', 'usual wording')`
      actuellement (absent|en congé|en déplacement)
      je serai <40>(absent|de retour|en congé)
      je suis <40>(absent|en congé|en déplacement|en vacances|hors du bureau|indisponible)
    `,
    group('he', 'usual wording')`
      בחופשה
      מחוץ למשרד
    `,
    group('hr', 'usual wording')`
      izvan ureda
      na (dopustu|godišnjem[ odmoru]|odmoru) (do|sam)
    `,
    group('hu', 'usual wording')`
      szabadságon (leszek|vagyok)
    `,
    group('id', 'usual wording')`
      (saya|sedang) cuti
      di luar kantor
    `,
    group('it', 'usual wording')`
      sarò <30>(assente|fuori|in ferie)
      sono <30>(assente|fuori (sede|ufficio)|in ferie)
    `,
    group('ja', 'usual wording')`
      不在(です|にしております|の(ため|間))
      休暇(を(いただ|取得)|中)
      外出[し](ております|ています)
    `,
    group('ko', 'usual wording')`
      부재중
      출장[ ]중
      휴가[ ]중
    `,
    group('lt', 'usual wording')`
      atostogauju
      esu (atostogose|ne biure)
    `,
    group('lv', 'bounce_email')`
      esmu atvaļinājumā
    `,
    group('nl', 'usual wording')`
      ik ben <60>(afwezig|buiten kantoor|met (vakantie|verlof)|niet (aanwezig|bereikbaar|op kantoor)|op vakantie)
    `,
    group('pl', 'usual wording')`
      jestem <30>(na urlopie|nieobecn|poza biurem)
      przebywam <30>(na urlopie|poza)
    `,
    group('pt', 'usual wording')`
      encontro-me <30>(ausente|de f(e|é)rias|fora)
      estarei <30>(ausente|de f(e|é)rias|fora)
      estou <30>(ausente|de f(e|é)rias|fora)
    `,
    group('ro', 'usual wording')`
      sunt <20>(plecat|în concediu)
    `,
    group('ru', 'usual wording')`
      буду отсутствовать
      нахожусь в отпуске
      я <40>(в отпуске|вне офиса|нахожусь в (командировке|отпуске)|отсутствую)
    `,
    group('sk', 'usual wording')`
      som <30>(mimo kancelári|na dovolenke|neprítomn)
    `,
    group('sl', 'usual wording')`
      (na|sem na) dopustu
      odsot(en|na)|
    `,
    group('sv', 'usual wording')`
      jag är <40>(frånvarande|inte på kontoret|ledig|på semester|tillbaka|tjänsteledig)
    `,
    group('th', 'usual wording')`
      ลาพักร้อน
      ไม่อยู่ที่(สำนักงาน|ออฟฟิศ)
    `,
    group('tr', 'usual wording')`
      izindeyim
      ofis dışında
      yıllık izin
    `,
    group('uk', 'usual wording')`
      я <20>у відпустці
    `,
    group('vi', 'usual wording')`
      đang (nghỉ phép|vắng mặt|đi công tác)
    `,
    group('zh', 'usual wording')`
      我[将|正在|现在|目前]<10>(不在办公室|休假|出差|外出|度假)
      本人<6>(休假|出差|外出)
    `,
  ],
  { 'i-am': I_AM },
);
