import { lexicon } from './lexicon.ts';

export const HR = lexicon(
  'hr',
  {
    remove: `
        uklon* obriš* briš* brisanj* izbriš* maknite makni ukloni* izbac* izbrisat* obrisat* ukinite izbris* zaboravi*
        izostav* miči* makni* izbrisati obrisati ukloniti maknuti izbaciti izbacite baci* bacite
      `,
    unsubscribe: `
        odjav* ispiš* ispis* otkaz*_pretplat* otkažite_pretplatu otkaži_pretplatu otkazivanje_pretplate
        otkazujem_pretplatu otkaž*_pretplat* otkaž*_moju_pretplat*
      `,
    take: 'skinit* skini makn* izvad* drž* skinite',
    off: 's sa iz od izvan',
    stop: `
        prestan* stop dosta kraj prekin* obustav* završ* zaustav* suzdrž* odustan* prekini* prestati prestanite
        prekinite pošted* prekinite_s
      `,
    send: `
        pis* piš* šal* sla* kontakt* smet* uznemir* gnjav* poslat* spam* obraća* javlja* dosađ* pisati pišite slati
        šaljite kontaktirati uznemiravati bombardira* zatrpav* davit* inzistira*
      `,
    call: 'zov* naziv*',
    receive: 'prim* dobiva* dobij* biti',
    want: 'žel* hoć* traž* zahtij* zahtev* zanima* dobrodoš* treba* potreb* zahtijevam očekuj* pozivam inzistira*',
    not: 'ne nemoj* nikad* nema neć* nikakv* nijed* niti bez nemate nisu',
    again: 'više opet dalj* ponovo ponovno ubuduće nikad_više nadalje još_jedan još_jedn*',
    mail: `
        poruk* mail* reklam* newsletter* spam* obavijest* promidžb* emailov* pošt* mejl* ponude ponuda ponudama upit*
        kontaktiranj* prijedlo* ponud* podsjetni*
      `,
    mailing: 'email mail mejl kontakt*',
    me: 'me mi nas nam mene meni',
    my: 'moj* moje mojih moju naš* naše našu naših svoj* svojih',
    data: `
        adres* podat* email mail ime firm* tvrtk* osobn* kontakt* broj informacij* zaposlenik* djelatnik* osoblj* uprav*
        odbor* račun
      `,
    list: 'popis* list* baz* newsletter* sustav* sistem* evidencij* mailing* spisk* pretplat* kampanj* novosti',
    your: 'vaš* vaše vaših tvoj* ove ovog ovih ovaj sve svih svog od_vas',
    filler: `
        molim vas hvala lijepo odmah dobar dan pozdrav s srdačan lp na u i o od do ja mi vi ti se da sam smo bi mogu
        možete mogli po prema gdpr osobnih ovim protiv vam za nisam zainteresiran* hitno svoje svih što moram biste li
        bila bio bih ova ovo ovakve takve takvih ovdje svaki smije smisla zadnji put prava osoba pobrinite još jedan
        ništa bilo treći druga drugi puta tjedan stvarno jednostavno jako dakle jer gdje netko uvijek između također
        izričito potpuno sama kako to je taj tog te ste su putem samo time blokira
    `,
    if: 'ako ukoliko kad kada',
    instruct: 'klikn* poveznic* odgovor* link',
    i: 'ja mi_smo',
    be: 'biti budem',
    how: 'kako gdje',
    could: 'mogu* mogl* možete moguće molim zahvaln* drago zahvalan biste',
    object: 'dosta_mi neželj* protiv* prigovor* prigovaram odbija* zabranjuj* odvjetnik* prijavlj* azop tužb* prijavit*',
    withdraw: 'povlač* povuć* opoziv* povlačim',
    consent: 'privol* pristan* suglasn* saglasn*',
    processing: 'obrad* korišt* marketing* korist*',
    right: 'pravo članak čl gdpr',
    but: `
        ali prije dok tek sastan* račun* narudžb* točk* tačk* star* ponedjeljak utorak srijed* četvrtak petak slučajno
        slobodno ustručava* završi* završil* završio prvu prva prvi greškom pogreškom
    `,
    block: 'crn*_list* blokira*',
    split: 'i ili',
    idioms: [
      '(?:ostav|pust)\\S* (?:me|nas)(?: vise| vec jednom| konacno)* (?:na|u|pri) mir\\S*',
      'ne gnjavi(?:te)?(?: (?:me|nas))?(?: vise)?',
      'nemojte (?:me |nas )?(?:vise )?(?:gnjaviti|dosadivati|uznemiravati)',
      '(?:gnjavi|dosadu)\\S* nek\\S* drug\\S*',
      '(?:nad|potraz)\\S* (?:si )?drug\\S* (?:zrtv|budal)\\S*',
      'odjebi\\S*',
      '(?:dosta|muka) mi je (?:vise )?(?:od )?(?:vasih|tih|ovih) (?:mail|poruk|reklam)\\S*',
      'ne znaci ne',
      'dajte (?:mi|nam) (?:vise )?mira',
    ],
  },
  { negations: 'ne' },
);
