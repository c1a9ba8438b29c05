import { lexicon } from './lexicon.ts';

export const SL = lexicon(
  'sl',
  {
    remove: `
        odstran* izbriš* briš* izbris* izbris brisanje umak* umik* zbriš* zbris* izloč* črtaj* pozab* izpusti* vrž*
        izbrisati odstraniti umakniti vreči mečite vržite umaknite
      `,
    unsubscribe: `
        odjav* preklic_naročnine odpoved_naročnine prekinite_naročnino odpišite odpoved*_naročnin* prekliči*_naročnin*
        prekličite_mojo_naročnin* dajte_me_dol daj_me_dol dajte_me_ven
      `,
    take: 'vzem* umakn* snem* drž* vrzi* umaknite',
    off: 's z iz od stran',
    stop: `
        preneh* nehaj* dovolj stop konec ustav* prekin* vzdrž* opusti* ustavit* nehali nehat* nehajte prenehajte
        prenehati prihran*
      `,
    send: `
        piš* pisa* pošil* kontakt* nadleg* pošlj* moti* obrača* spam* pisati pišite pošiljati pošiljajte kontaktirati
        nadlegovati bombardira* zasip* težit* javljaj* vztraja*
      `,
    call: 'klič* klica*',
    receive: 'prejem* dobiva* biti',
    want: 'žel* hoč* zahtev* zanima* dobrodoš* potreb* pričakuj* pozivam vztrajam',
    not: 'ne nikoli brez noč* nobene* nič ni nočem nima niso nimate',
    again: 'več spet naprej ponovno nadalje nikoli_več nadaljnj* še_en še_ena',
    mail: `
        sporoč* mail* reklam* novic* newsletter* spam* oglas* pošt* e-pošt* ponudb ponudbe ponudbami kontaktiranj*
        predlog* ponudb* pošiljk* opomnik*
      `,
    mailing: 'email mail kontakt*',
    me: 'me mi nas nam mene meni',
    my: 'moj* moje mojih naš* naše naših svoj* svojih',
    data: 'naslov* podat* email mail ime podjetj* osebn* kontakt* številk* zaposlen* sodelavc* uprav* vodstv* račun*',
    list: 'seznam* baz* list* newsletter* sistem* evidenc* mailing* naročnin* novic* kampanj*',
    your: 'vaš* tvoj* te teh ta vse vseh svojega od_vas',
    filler: `
        prosim hvala lepa takoj dober dan pozdrav lp na v in o od do jaz mi vi ti se da sem smo bi lahko glede po gdpr
        osebnih s_tem proti vam za nisem zanimanja nujno svoje vljudno kako kaj moram narediti bila bil to ta tega smete
        tu takih vsak smisla ob zadnjič prava oseba še en poskrbite konča vem bilo tretji drugi krat teden res preprosto
        zelo torej ker kjer nekdo vedno brez_odlašanja med tudi izrecno popolnoma sam sama je teh ste so to_pot samo ga
        že
      `,
    if: 'če kadar',
    instruct: 'klikn* povezav* odgovor* link',
    i: 'jaz',
    be: 'biti bil',
    how: 'kako kje',
    could: 'lahko mogl* možn* prosim hvaležn* vesel* hvaležen',
    object: 'dovolj_imam nezažel* nasprotuj* ugovarj* ugovor* zavrača* prepoved* odvetnik* prijavim informacijsk* pritož*',
    withdraw: 'preklic* umik*',
    consent: 'soglasj* privol*',
    processing: 'obdelav* uporab* trženj* uporablja*',
    right: 'pravic* člen čl gdpr',
    but: `
        ampak vendar pred dokler šele sestan* račun* naročil* točk* star* pomotoma ponedelj* torek sred* četrtek petek
        oklevaj* končal* prve prva prvi prvo po_pomoti pomotoma
    `,
    block: 'črn*_seznam* blokira* zablokira*',
    split: 'in ali',
    idioms: [
      'pust\\S* (?:me|nas) (?:ze |koncno )?(?:pri|na) mir\\S*',
      'dajte (?:mi|nam) (?:ze )?mir',
      'ne (?:nadlegujte|gnjavite|tezite)(?: (?:me|nas|mi))?(?: vec)?',
      'nehajte (?:tezit|nadlegovat|gnjavit)\\S*',
      '(?:nadleguj|gnjavi)\\S* koga drugega',
      '(?:najd|poisc)\\S* (?:si )?drugo (?:zrtev|budalo)',
      'dovolj (?:mi je|imam) vasih (?:mail|sporocil)\\S*',
    ],
  },
  { negations: 'ne' },
);
