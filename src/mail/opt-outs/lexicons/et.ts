import { lexicon } from './lexicon.ts';

export const ET = lexicon('et', {
  remove: `
      eemalda* kustuta* eemalta* kustuta eemaldage eemaldami* kustutami* unusta* kustutus jäta* viska* kustutage
      võtke_maha viska visata heit* visake
    `,
  unsubscribe: `
      loobu* tühista*_tellimus* tellimuse_tühista* tühistage_mu_tellimus lõpeta*_tellimus* tühista*_minu_tellimus*
      tühistage_minu_tellimus lõpetage_minu_tellimus
    `,
  take: 'võt* viska* hoidke',
  off: 'maha välja',
  stop: 'lõpeta* stop aitab piisab katkesta* hoidu* loobuge lõpetage jätke_järele säästke jätke_juba',
  send: `
      kirjuta* saat* võt*_ühendust ühendust tülita* spämmi* kontakteeru* pöördu* häiri* kirjutage kirjutada saatke saata
      pommita* ahista*
    `,
  call: 'helista*',
  receive: 'saada saa olla kuulda',
  want: 'soovi* taha* nõua* palu* vaja* teretulnud* nõuame ootan kutsun',
  not: 'ei ärge ära mitte kunagi mingeid mingit pole meil_pole',
  again: 'enam rohkem veel edaspidi uuesti muid',
  mail: `
      kirja* kirju* reklaam* meil* uudiskir* spämm* sõnum* rämpspost* e-kirj* pakkumis* pakkumus* kontaktivõt*
      ettepaneku* kiri meeldetuletus*
    `,
  mailing: 'email e-post',
  me: 'mind mulle meid meile minuga meiega mu',
  my: 'minu mu meie oma',
  data: 'andme* aadress* isikuandm* nimi nime meiliaadress* kontakt* ettevõt* firma* töötaja* juhatus* juhtkon* konto',
  list: 'nimekir* list* andmebaas* meililist* uudiskir* süsteem* register* registrist tellimus* postitusloend* kampaania* baas* register registri*',
  your: 'teie teilt selle see need kõik',
  filler: `
      palun aitäh tänan kohe tere lugupidamisega ja on ma me te et kas saaksite võiksite kätte huvitatud oma gdpr
      kohaselt sellele siia meie andmete kõik minu isiklik* koheselt viivitamatult soovin siit seda selliseid sellest
      tohi kasutada uusi pean tegema mida mõtet luba teil siin järgmise järel viimast korda üks inimene õige midagi
      seega sealt oli olin olnud kolmas kolmanda teine kord päev nädal tõesti lihtsalt väga juba nii sest kus keegi iga
      alati ilma vahel ka selgelt kiiresti täiesti ise kuidas see selle need nende mis olen oleme olete ainult
      edasistest järele
    `,
  if: 'kui juhul',
  instruct: 'klõps* link* vasta*',
  i: 'ma me mina',
  how: 'kuidas kus',
  could: 'saaks* saate saad või* võiks* võimal* palun tänulik* hea_meel oleksin rõõmus',
  object: 'kõrini soovimat* vaidlust* vastuväi* keeld* keela* jurist* kaeba* kaebus* inspektsioon*',
  withdraw: 'tagasi tühistan',
  consent: 'nõusolek*',
  processing: 'töötlemi* kasutami* turundus* kasuta*',
  right: 'õigus* artik* gdpr',
  but: 'aga enne kuni alles arve* pakkumisest kohtumi* vana kogemata kliendid esmaspäev* kümmet kõhelge kõhkl* julgelt esimest* esimene',
  block: 'musta_nimekirja blokeeri*',
  split: 'ja või ning',
  idioms: [
    'jat\\S* (?:mind|meid) (?:ometi |juba |palun )?rahule',
    'laske (?:mul|meil) rahus olla',
    'arge (?:enam )?(?:tulitage|tuudake|pinnige|ahistage)(?: (?:mind|meid))?(?: enam)?',
    'kopp (?:on )?ees',
    'on (?:teie|nendest) (?:kirjadest|meilidest|pakkumistest) korini',
    '(?:otsige|leidke) (?:endale )?(?:teine|uus) ohver',
    'tulitage kedagi teist',
    'minge (?:metsa|pikalt)',
    'kaduge(?: mu postkastist)?',
  ],
});
