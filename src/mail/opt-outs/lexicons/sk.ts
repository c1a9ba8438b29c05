import { lexicon } from './lexicon.ts';

export const SK = lexicon(
  'sk',
  {
    remove: `
        odstrá* vymaž* vymaz* zmaž* zmaz* vyraď* vyrad* vyškrt* odstránen* výmaz zabudn* vyhoď* vyhod* vyčiark* vynecha*
        zruš* zmazani* vyciark* zmazať odstrániť vymazať vyradiť vyhodiť zlikvid* hoď*
      `,
    unsubscribe: `
        odhlás* odhlas* zrušte_odber zrušiť_odber zrušenie_odberu zruš_odber odhlásenie zrušte_mi_odber ruším_odber
        zruš*_odber* zrušte_prosím_môj_odber
      `,
    take: 'dajte_ma_preč vezm* drž*',
    off: 'z zo od preč',
    stop: `
        presta* dosť stop koniec ukonč* skonč* zastav* zdrž* upusť* upustiť zanech* ustaň* prestať prestaňte končite
        ušetr* nechajte_toho
      `,
    send: `
        píš* písa* posiel* zasiel* kontakt* obťaž* oslov* spam* pošl* otravuj* obťažovan* neobťažov* písať píšte
        posielať posielajte kontaktovať obťažovať bombard* zasyp* otravovať spamovať ozýv* ozv* nalieh*
      `,
    call: 'vol*',
    receive: 'dostáv* dosta* prijím* odoberať',
    want: 'chc* žel* žiad* záujem praj* vítan* potreb* požaduj* očakáv* vyzýv* trvám',
    not: 'ne nikdy žiadn* nič nechc* nežel* ani bez nemá nesmie nie_sú',
    again: 'ďalš* viac už znova naďalej budúcn* ešte_jeden ešte_jedn*',
    mail: 'mail* správ* reklam* newsletter* spam* emaily emailov e-maily e-mailov ponuky ponúk ponukami návrhy návrh* maily upomien* pripomienk*',
    mailing: 'email mail kontakt*',
    me: 'ma mňa mi nás nám mne mnou nami',
    my: 'môj moje moju mojich moja mojej náš naše našu našich svoje svoj svojich svoju',
    data: `
        adres* údaj* email mail meno firm* kontakt* osobn* číslo informáci* zamestnanc* pracovník* vedeni*
        predstavenstv* účet účtu schránk*
      `,
    list: 'zoznam* databáz* odber* adresár* newsletter* evidenci* systém* mailing* list* kampan* noviniek rozosiel*',
    your: 'vaš* váš* tvoj* týchto tento túto tejto tohto všetk* od_vás',
    filler: `
        prosím ďakuj* vďaka ihneď okamžite dobrý deň pozdravom s na v a o od do ja my vy ty sa si som sme by mohli
        môžete môžem podľa gdpr osobných týmto proti vás vám hneď láskavo aby ten to k zdvorilo co čo mám urobiť ste
        táto smie používať takéto zmysel bola bol bolo sú tu toho dá tak ešte jeden pri naposledy zabezpečte osoba vašej
        môj tretí druhý raz krát týždeň naozaj proste veľmi teda pretože kde niekto každý vždy bez medzi tiež výslovne
        naliehavo úplne sám sama ako je tých pre len ju
      `,
    if: 'ak pokiaľ keď',
    instruct: 'klikn* odkaz odpov* link',
    i: 'ja my',
    be: 'byť bol',
    how: 'ako kde',
    could: 'moh* môž* možn* prosím vďačn* rád rada oceni*',
    object: 'dosť_vaš* nevyžiad* nežiad* námietk* namiet* nesúhlas* odmiet* zakazuj* právnik* sťažnost* advokát*',
    withdraw: 'odvol* odvoláv* beriem_späť späť',
    consent: 'súhlas*',
    processing: 'spracúv* spracov* využ* použív* marketing* nepoužívajte',
    right: 'právo článok čl gdpr',
    but: `
        ale pred kým až stretnuti* faktúr* objednáv* bod starú starý omylom zákazníci pondelok utorok stred* štvrtok
        piatok neváh* váh* skončil* prvú prvá prvý prvej
      `,
    block: 'blacklist* zablok* bloku*',
    split: 'a alebo',
    idioms: [
      '(?:dajte|daj) (?:mi|nam)(?: uz| konecne| svaty)* pokoj',
      'nech\\S* (?:ma|nas) (?:uz )?(?:tak|na pokoji)',
      'neotravuj(?:te)?(?: (?:ma|nas))?',
      'chod\\S* (?:s tym )?(?:kade lahsie|otravovat (?:niekoho ineho|inych))',
      '(?:najd|hlad)\\S* si in\\S* (?:obet|blazn\\S*)',
      'lez\\S* mi to (?:uz )?krkom',
      'mam (?:uz )?(?:plne zuby|dost) (?:vasich|tych) (?:mailov|sprav|ponuk)',
      'nie znamena nie',
      'ste (?:velmi )?(?:otravni|dotieravi)',
    ],
  },
  { negations: 'ne' },
);
