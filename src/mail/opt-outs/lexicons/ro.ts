import { lexicon } from './lexicon.ts';

export const RO = lexicon('ro', {
  remove: `
      șterge* ștergerea eliminați elimină eliminarea excludeți stergere scoateți scoate scoatere radiați radierea scos*
      scoas* șters* exclus* șterg* elimin* exclu* anul* lăsa* șterge ștergeți elimina arunc* radia
    `,
  unsubscribe: `
      dezabon* dezabonare anulați_abonamentul anulare_abonament anulez_abonamentul renunț_la_abonament renunțare
      renunț_la_abona* anulați_abona* dați-mă_afară scoate_ma scoateti_ma
    `,
  take: 'scoate* scoat* țineți ține',
  off: 'din de dintre',
  stop: `
      încet* opri* gata stop termin* ajunge destul abțineți sistați înceta* abțin* abține* renunțați sista* încetați
      opriți opriți-vă terminați scuti* terminați_odată
    `,
  send: `
      scrie* scri* trimi* contact* deranja* expedia* spam* sâcâi* agasa* hărțui* cont*actați scrie scrieți trimite
      trimiteți contacta contactați deranjați bombard* agas* insist*
    `,
  call: 'suna* telefon*',
  receive: 'prime* primi* auzi recep* fiu apar',
  want: 'dor* vreau vrem voi doresc solicit* cer cerem interesat nevoie binevenit* prefer* pretind* insist* aștept* somez rugăm',
  not: 'nu niciun nicio nimic niciodată nici n fără',
  again: 'mai alte altul viitor continuare nou încă_un încă_o',
  mail: `
      mailuri mailurile emailuri emailurile mesaje mesajele reclame reclama newslett* publicitate spam mesaj
      corespondență comunicări oferte ofertele propuneri contactare* contactări reveniri memento*
    `,
  mailing: 'email mail',
  me: 'mă îmi mi ne mie nouă m ma mine noi',
  my: 'mea mele meu mei noastră noastre nostru noștri',
  data: `
      datele date adresa adresele adresă numele emailul email contactul informațiile firma compania personale număr
      angajații personalul echipa colegii consiliul conducerea contul contului directorul
    `,
  list: `
      lista listă liste baza bază evidențe* newsletter* sistem* bazei distribuție mailing abonament* campani* buletin*
      abonare listele listelor
    `,
  your: 'dumneavoastră dvs voastră voastre voștri ta tale asta acest această aceste toate toți tuturor de_la_voi orice',
  filler: `
      vă rog va mulțumesc mulțumim să sa imediat bună ziua cu stimă acum și la în pe o un a al ale eu noi voi sunt
      suntem pot putea puteți personale pentru conform gdpr urgent aici fi fie de_date date te rugăm că îmi legătură
      cumva e prin de interesat ce trebuie fac faceți am are aveți ați aș se alt poate folosită folosiți rost sens grija
      fim ultima oara oară următorul astfel persoana potrivită încă mă știu cum ajuns fost era aveam treia doua dată ori
      zi zile săptămână chiar pur simplu foarte bine deja deci pentru_că unde cineva fiecare mereu fără între și_eu
      expres complet însumi acest această aceștia care este ar doar acolo odată următoarele
    `,
  if: 'dacă daca',
  instruct: 'click clic link răspunde* apăsați',
  i: 'eu noi',
  be: 'fi fiu fie',
  how: 'cum unde',
  could: 'put* pot ați posibil recunoscăto* aprecia* aș prefer*',
  object: 'săturat sătul nedorit* nesolicitat* opun obiecț* opoziție refuz* interzic* avocat* plânger* anspdcp',
  withdraw: 'retrag* revoc* retragere',
  consent: 'consimțământul consimțământ acordul acord',
  processing: 'prelucr* folosir* utiliz* folos*',
  right: 'drept dreptul articol* art gdpr',
  but: `
      înainte până după ci întâlnire* factur* ofert* comand* așteptare veche vechi rata luni marți miercuri joi vineri
      greșeală ezita* prima primul la_noi lăsați_mă_pe
    `,
  block: 'lista_neagră bloca*',
  split: 'și sau',
  idioms: [
    '(?:lasa\\S*|lasati) (?:ma|ne) (?:odata )?(?:in pace|naibii)',
    'gata cu (?:mail|mesaj|email|spam|reclam)\\S*',
    'ajunge cu (?:mail|mesaj|email|spam|reclam)\\S*',
    'nu (?:mai )?insist\\S*',
    '(?:caut|gas)\\S* (?:va )?(?:alt fraier|alta victima|alt prost)',
    'deranj\\S* pe altcineva',
    'm am saturat de (?:mailurile|mesajele|emailurile|reclamele|spamul) (?:voastre?|dumneavoastra|astea|tale|vostru)',
    'dispareti din (?:inboxul|casuta) \\S+',
    'ducti va (?:naibii|dracului)',
  ],
});
