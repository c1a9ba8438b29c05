import { lexicon } from './lexicon.ts';

export const HU = lexicon('hu', {
  remove: `
      töröl* töröljön töröljenek törölj* törlés* eltávolít* távolít* kitöröl* kivesz* felejts* vegyenek_le vegyenek_ki
      vegyen_le vegyen_ki vegye_le vegye_ki vegyetek_le vegyél_le vegyél_ki levenni kivenni szedj* húzzan* töröltet*
      törlését törölni hagy* kihagy* dob* törölje töröljék kidob* kirak* vegyék_ki vegyék_le távolíts*
    `,
  unsubscribe: `
      leirat* iratkoz* leiratkozás iratkoztass* lemond*_előfizetés* leiratkozom hírlevelet_lemond*
      feliratkozásom*_töröl* lemond*_hírlev* lemondom_a_hírlev* mondják_le
    `,
  off: 'ról ről le ki el',
  stop: `
      hagyj* stop elég szüntess* fejezz* állíts* abba megszüntet* szüntesse tartózkod* mellőz* szűnj* hagyják hagyja
      fejezze szüntessék álljanak_le kímél*
    `,
  send: `
      küld* ír* keres* zavar* kontakt* zaklat* megkeres* spammel* írj* forduln* kapcsolatba írni írjon írjanak küldeni
      küldjön küldjenek keressen keressenek bombáz* zargat* háborgat* jelentkez* erőltes*
    `,
  call: 'hív* telefonál*',
  receive: 'kapn* kapni fogad* szerepel* kap*',
  want: 'szeret* akar* kér* kíván* óhajt* tart* igény* szeretn* szüksé* kívánatos követel* elvár* felszólít* ragaszkod*',
  not: 'ne nem soha semmi* többé_ne nincs',
  again: 'több* többé további* többet újra ismét jövőben többször már még_egy',
  mail: `
      level* email* e-mail* hirdetés* reklám* hírlev* üzenet* spam* megkeresés* levél* ajánlatok* ajánlatot ajánlatai*
      javaslat* megkeres* emlékeztető*
    `,
  me: 'nekem engem minket bennünket nekünk velem velünk magam',
  my: 'az_én saját a_mi',
  mydata: `
      adataim* adataink* címem* címünk* nevem* nevünk* adatom* elérhetőségem* elérhetőségünk* cégünk* emailcímem*
      emailcímünk* mailcímem* elérhetőségeim*
    `,
  data: 'adat* cím* személyes név munkatársa* dolgozó* vezetőség* igazgatóság* fiók* cég*',
  list: `
      lista* listá* adatbázis* hírlevél* rendszer* címlist* nyilvántartás* levelezőlist* feliratkozás* kampány*
      előfizetés* listáik* listáikról
    `,
  your: 'önök ön ez ezt ezek ezeket összes minden',
  filler: `
      kérem kérjük köszön* azonnal üdvözlettel tisztelt jó napot a az és hogy mert is vagyok fel le ki személyes gdpr
      szerint erre hozzá onnan van érdekel nem_érdekel tisztelettel légy* szíves* legyen* legyenek kezelés* ellen
      haladéktalanul most innen email cím* én mi nekem be ezennel küldése* küldését mit tegyek vannak ilyen szabad
      használni értelme utoljára következő még egy meg de fiókom róla gondoskodjanak arra erről nyugodtan volt voltam
      harmadik második alkalom nap hét tényleg egyszerűen nagyon már_most így tehát ahol valaki mindig nélkül között
      kifejezetten sürgősen teljesen maga amely ezért ezek azok kell kérném lenne volna lennének magukat maguk önöktől
      tőlük
    `,
  if: 'ha amennyiben',
  instruct: 'kattints* link* válaszol*',
  i: 'én mi',
  how: 'hogyan hol hogy_lehet',
  could: 'tudn* lehet* kérem tud* hálás örül* megtenné megkérhet*',
  object: `
      elegem nem_kívánat* kéretlen* tiltakoz* kifogás* ellenzem megtilt* hozzájárulok elutasít* tilos ügyvéd* naih
      panasz* feljelent*
    `,
  withdraw: 'visszavon*',
  consent: 'hozzájárul* beleegyez* járulok',
  processing: 'kezelés* feldolgoz* felhasznál* marketing* használ*',
  right: 'jog* cikk* gdpr',
  but: `
      de_küld előtt csak_az addig találkoz* szám* rendelés* ajánlatból pont* régi véletlen* ügyfel* hétf* kedd*
      csütörtök után bátran első elsőt feliratkoz* fel_szeretnék
    `,
  block: 'feketelist* tiltólist* tiltsák tilts* letilt* blokkol*',
  split: 'és vagy',
  idioms: [
    'hagyj\\S* (?:mar )?(?:engem |minket )?(?:mar )?bek\\S*',
    'szall\\S* le (?:mar )?(?:rolam|rolunk)',
    'kopj\\S* le',
    'keres\\S* (?:mas|masik) (?:aldozat|balek)\\S*',
    'mast (?:zaklas|zavar|zargas)\\S*',
    'ne (?:zaklas|nyagga|zarga|zavar)\\S*(?: tovabb| tobbet)?',
    'eleg(?:em|unk) van a (?:levelei|mailjei|uzenetei|reklamjai|ajanlatai)\\S*',
    'unom (?:mar )?a (?:leveleiket|mailjeiket|uzeneteiket)',
    'a nem az nem',
  ],
});
