import { lexicon } from './lexicon.ts';

export const LV = lexicon(
  'lv',
  {
    remove: `
        izņem* dzēs* izdzēs* svītro* izslē* noņem* dzēst izdzēst izsvītro* likvid* aizmirst* aizmirs* izlais* met*
        atcel* izdzēsiet dzēsiet izņemiet svītrojiet metiet izmet* noņemt
      `,
    unsubscribe: `
        atrakst* atsak* atteik* atteikties abonement*_atcel* atcelt_abonementu atceliet_abonementu atcel*_abonement*
        atcel*_manu_abonement*
      `,
    off: 'no',
    stop: 'pārtrauc* beidz* stop pietiek izbeidz* apstādin* atturiet* pārtraukt* pārtrauciet beidziet izbeidziet aiztaup*',
    send: `
        rakst* sūt* sazin* traucē* nosūt* kontaktē* uzmāc* piesūt* mocīt* spamo* rakstiet rakstīt sūtiet sūtīt
        sazinieties zvaniet bombard* apgrūtin* uzstāj* vērs* vērsieties
      `,
    call: 'zvan*',
    receive: 'saņem* dzirdēt būt',
    want: 'vēl* grib* prasu pieprasu lūdzu nevēl* negrib* vajadzīg* gaidīt* vajag pieprasām gaidu aicinu',
    not: 'ne nekad nekād* neko nevien* bez nav nekādas',
    again: 'vairs vairāk turpmāk atkal vēl citas nākotnē turpmāk* jaun*',
    mail: `
        vēstul* reklām* e-past* epast* ziņ* jaunum* surogātpast* mēstul* pastu spam* piedāvājum* saziņ* priekšlik*
        sūtījum* e_pastus e_pastu piedāvāj* atgādinājum*
      `,
    mailing: 'email',
    me: 'mani man mūs mums',
    my: 'manu manus mana mūsu savu savus manis',
    data: 'dat* adres* vārd* uzņēm* e-pasta* kontakt* informācij* person* darbiniek* vald* vadīb* konts kontu pasta adreses',
    list: 'sarakst* datubāz* datu_bāz* jaunum* sistēm* adresāt* reģistr* izsūtn* abonement* kampaņ*',
    your: 'jūsu jums šo šīs visus visas tavu šāda šādas',
    filler: `
        lūdzu paldies nekavējoties labdien ar cieņu es mēs jūs un ka var varat personas saskaņā vdar gdpr šai uz tūlīt
        lai par man neesmu ieinteresēts interesē neinteresē jau kā šeit pret adresātu kas jādara vai tas būtu tādas
        jēgas drīkst nedrīkst nākamās pēc pēdējo reizi viena vēl šo īstais cilvēks savām bija biju bijis trešā trešo
        otrā reize reizes diena nedēļa tiešām vienkārši ļoti tā tāpēc jo kur kāds katrs vienmēr bez starp arī skaidri
        steidzami pilnīgi pats pati to šis šī esmu esam esat ir tikai manas taču tikt
      `,
    if: 'ja',
    instruct: 'klikšķ* spied* saite* atbild*',
    i: 'es mēs',
    how: 'kā kur',
    could: 'var* lūdzu iespējams pateicīg* priecā* priecīg* varētu',
    object: 'apnik* nevēlam* iebild* iebilst* aizliedz* atsakām* jurist* sūdzē* sūdzīb* inspekcij*',
    withdraw: 'atsau* atsaukt',
    consent: 'piekriš*',
    processing: 'apstrād* izmanto* mārketing* neizmanto*',
    right: 'tiesīb* pants gdpr vdar',
    take: 'tur*',
    but: `
        bet_atsūt pirms līdz tikai tikšan* rēķin* pasūtījum* punkt* vec* nejauši klient* pirmdien* otrdien* desmit*
        droši vilcin* pirmo pirmais kļūdas_pēc
    `,
    block: 'melnaj*_sarakst* bloķē*',
    split: 'un vai',
    idioms: [
      '(?:liec\\S*|atstaj\\S*) (?:mani|mus) (?:beidzot )?miera\\S*',
      'atsuj\\S*',
      'atvac\\S* no manas pastkastes',
      'netraucejiet(?: (?:mani|mus))?',
      'neuz(?:bazieties|macieties)',
      '(?:atrod|mekle)\\S* (?:sev )?cit\\S* upur\\S*',
      'mekle\\S* mulk\\S*(?: citur)?',
      '(?:man|mums) lidz kaklam',
      'jusu vestules ir apnikusas',
      'esat apnikusi',
    ],
  },
  { negations: 'ne' },
);
