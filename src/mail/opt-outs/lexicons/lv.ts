import { lexicon } from './lexicon.ts';

export const LV = lexicon(
  'lv',
  {
    remove: 'izņem* dzēs* izdzēs* svītro* izslē* noņem* dzēst izdzēst izsvītro* likvid* aizmirst* aizmirs*',
    unsubscribe: 'atrakst* atsak* atteik* atteikties abonement*_atcel* atcelt_abonementu atceliet_abonementu',
    off: 'no',
    stop: 'pārtrauc* beidz* stop pietiek izbeidz* apstādin* atturiet* pārtraukt* pārtrauciet',
    send: 'rakst* sūt* sazin* traucē* nosūt* kontaktē* uzmāc* piesūt* mocīt* spamo*',
    call: 'zvan*',
    receive: 'saņem* dzirdēt būt',
    want: 'vēl* grib* prasu pieprasu lūdzu nevēl* negrib*',
    not: 'ne nekad nekād* neko nevien* bez',
    again: 'vairs vairāk turpmāk atkal vēl citas nākotnē',
    mail: 'vēstul* reklām* e-past* epast* ziņ* jaunum* surogātpast* mēstul* pastu spam* piedāvājum* saziņ*',
    mailing: 'email',
    me: 'mani man mūs mums',
    my: 'manu manus mana mūsu savu savus manis',
    data: 'dat* adres* vārd* uzņēm* e-pasta* kontakt* informācij* person* darbiniek*',
    list: 'sarakst* datubāz* datu_bāz* jaunum* sistēm* adresāt* reģistr* izsūtn* abonement*',
    your: 'jūsu jums šo šīs visus visas tavu šāda šādas',
    filler: `
      lūdzu paldies nekavējoties labdien ar cieņu es mēs jūs un ka var varat personas saskaņā vdar gdpr šai uz tūlīt lai par
      man neesmu ieinteresēts interesē neinteresē jau kā šeit pret adresātu
    `,
    if: 'ja',
    instruct: 'klikšķ* spied* saite* atbild*',
    i: 'es mēs',
    how: 'kā kur',
    could: 'var* lūdzu iespējams pateicīg* priecā*',
    object: 'apnik* nevēlam* iebild* iebilst*',
    withdraw: 'atsau* atsaukt',
    consent: 'piekriš*',
    processing: 'apstrād* izmanto* mārketing*',
    right: 'tiesīb* pants gdpr vdar',
    but: 'bet_atsūt pirms līdz tikai tikšan* rēķin* pasūtījum* punkt* vec* nejauši klient* pirmdien* otrdien* desmit*',
    block: 'melnaj*_sarakst*',
    split: 'un vai',
    idioms: ['(?:liec\\S*|atstaj\\S*) (?:mani|mus) (?:beidzot )?miera'],
  },
  { negations: 'ne' },
);
