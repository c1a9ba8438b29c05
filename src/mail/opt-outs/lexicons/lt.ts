import { lexicon } from './lexicon.ts';

export const LT = lexicon(
  'lt',
  {
    remove: `
        pašalin* ištrin* išbrauk* išim* panaikin* šalin* ištrint* pamiršk* sunaikin* trinkite neįtrauk* išmesk* atšauk*
        nutrauk* ištrinkite pašalinkite išbraukite išimkite mesk*
      `,
    unsubscribe: `
        atsisak* atsisakyti atsisakau prenumeratos_atsisak* atšauk*_prenumerat* nutrauk*_prenumerat* išsiregistr*
        išregistr* atšauk*_mano_prenumerat* atšaukite_mano_prenumerat* nutraukite_mano_prenumerat*
        nutrauk*_mano_naujien*
      `,
    off: 'iš',
    stop: `
        nustok* nutrauk* stop gana baik* pakanka liaukit* užtenka susilaik* liaut* nutraukt* nustokite liaukitės baikite
        apsaug* nustoti baikite_pagaliau užteks
      `,
    send: `
        rašy* sikreip* kreipk* siųs* siunt* kreip* trukd* susisiek* kontakt* parašy* spam* siun* nesiųs* nerašy*
        nerašyk* varg* nebesių* neberaš* nebesiun* nebekreip* rašykite rašyti siųskite siųsti susisiekite skambinkite
        bombard* apkrau*
      `,
    call: 'skamb*',
    receive: 'gaut* gau* būti girdėti',
    want: 'nor* pageid* reikalau* praš* benor* bepageid* reiki* pageidaujam* reikalaujame tikiuosi raginu',
    not: 'ne niekad* jokių nieko joki* nebenor* nenor* nepageid* be nebesių* neberaš* nebesiun* nebekreip* nėra negalima',
    again: 'daugiau vėl toliau ateityje dar kitų tolesn* nebesių* neberaš* naujų',
    mail: 'laišk* reklam* el_pašt* naujienlaišk* žinu* šlamšt* pašt* žinut* pranešim* spam* pasiūlym* komercin* siunt* priminim*',
    mailing: 'email',
    me: 'mane man mus mums manęs mūsų mumis manimi',
    my: 'mano mūsų savo',
    data: 'duomen* adres* vard* įmon* el_pašto asmen* kontakt* informacij* darbuotoj* valdyb* vadovyb* paskyr*',
    list: 'sąraš* duomenų_baz* baz* naujienlaiškio naujienlaišk* sistem* prenumerat* registr* adresat* kampanij* naujien*',
    your: 'jūsų šio visus visą tavo tokius tokių',
    filler: `
        prašau prašome ačiū dėkui nedelsiant laba diena su pagarba aš mes jūs ir kad galite galėtumėte asmens pagal bdar
        gdpr šiuo į tuojau pat esu suinteresuot* nesu nedomina neįdomu savo dėl man tvarkymu tvarkymo iš karto kuo
        skubiau čia tai ar būčiau būtų po kito tolesnio tokių tokie bet kokio daryti naudoti prasmės paskutinį kartą
        vienas dar tad manimi žmogus tas mumis šių buvo buvau trečias trečią antras kartas kartus savaitė tikrai tiesiog
        labai jau taip todėl nes kažkas kiekvienas visada be tarp taip_pat aiškiai skubiai visiškai pats pati kaip šis
        ši kas esame esate el tik nuo pagaliau skirtas
      `,
    if: 'jei jeigu',
    instruct: 'spausk* nuorod* atsakyk*',
    i: 'aš mes',
    how: 'kaip kur',
    could: 'gal* prašau įmanoma dėking* džiaug* galėtum* būčiau',
    object: `
        nusibod* nepageidauja* prieštarau* nesutink* nesutinku draudži* atsisako* neleidžiu teisinink* skųs* skund*
        inspekcij*
      `,
    withdraw: 'atšauk* atšaukiu',
    consent: 'sutikim*',
    processing: 'tvarkym* naudojim* rinkodar* naudok* nenaudok* naudoti',
    right: 'teis* straipsn* gdpr bdar',
    take: 'laik*',
    but: `
        bet_atsiųsk prieš iki tik susitikim* sąskait* užsakym* punkt* sen* netyčia klient* pirmadien* antradien* dešimt*
        pavasarį nuspręsime drąsiai dvejok* pirmo pirmą pirmas per_klaidą
    `,
    block: 'juod*_sąraš* užblok* blokuok*',
    split: 'ir arba',
    idioms: [
      '(?:palik|duok)\\S* (?:mane|mus|man|mums) (?:pagaliau |jau )?ramyb\\S*',
      'duokit\\S* ramyb\\S*',
      'atstok(?:it|ite)?(?: nuo (?:manes|musu))?',
      'atsiknis\\S*',
      'susira\\S* kit\\S* auk\\S*',
      'ieskok\\S* kvail\\S*(?: kitur)?',
      'ne(?:ikyrek|lisk|trukdyk)ite?(?: (?:manes|musu|man|mums))?',
      '(?:igriso|nusibodo) jusu laisk\\S*',
      'igrisote',
      'eik(?:it|ite) (?:sau|velniop)',
    ],
  },
  { negations: 'ne' },
);
