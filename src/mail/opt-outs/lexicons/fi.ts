import { lexicon } from './lexicon.ts';

export const FI = lexicon('fi', {
  remove: 'poista* poistet* poistu* tuho* unohta* poistamista poistaminen hävit* jättä* poissa heittä* heittäk* pyyhki* karsi*',
  unsubscribe: `
      peru_tilau* peruut* perukaa_tilau* tilauksen_peruutus peruutta* peru_uutiskir* peruuttakaa lopeta_tilau* irtisan*
      perua_uutiskirj* perukaa
    `,
  off: 'pois',
  take: 'ota ottakaa jättäkää_pois pääse* haluan haluamme päästä otta*',
  stop: `
      lopet* lakat* stop riittä* seis keskeytt* lopettamaan pidättäy* luopu* keskeyttä* lopettakaa lopettaa lakatkaa
      säästä* antakaa_olla
    `,
  send: `
      lähet* ota_yhtey* ottakaa_yhtey* ottako_yhtey* kirjoit* häirit* yhteyttä spämm* laitta* laittakaa lähestyk*
      lähesty* vaivat* yhteydessä kirjoitta* lähettä* lähettel* pommita* ahdist* kiusa*
    `,
  call: 'soit*',
  receive: 'vastaanot* saada saamaan olla kuulla tulla',
  want: `
      halua* haluan haluamme haluaisin toivo* vaadi* pyyd* kaipaa* tahdo* tarvit* tervetul* vaadimme vaadin pyydän
      pyydämme edellyt* kehot* odot*
    `,
  not: 'en emme ei älä älkää ikinä koskaan mitään',
  again: 'enää enempää lisää enemmän uudestaan jatkossa tulevaisuudessa muita',
  mail: `
      viest* sähköpost* mainoks* mainost* uutiskir* roskapost* posti* markkinointi* maile* meile* spämmiä suoramarkkin*
      tarjouks* yhteydenot* yhteydenotto* ehdotuks* muistutu*
    `,
  me: 'minut minua minulle meidät meitä meille mua mut mulle itseni minuun meihin',
  my: 'minun meidän mun',
  mydata: `
      *tietoni *tietojeni *tietomme *osoitteeni *osoitteemme *nimeni *osoitettani *tietojani *tilaukseni *yhteystietomme
      *tietojamme
    `,
  data: `
      tiedot* tietoja* osoit* sähköpostiosoite* henkilötie* yritys* nimi työntekij* henkilöstö* henkilökunt* johto
      johtomme hallitus hallituksemme tilini tilimme
    `,
  list: `
      list* rekister* tietokan* postituslist* jakelu* järjestelm* uutiskirj* markkinointirekist* kanta* kannasta* tilau*
      kampanj*
    `,
  your: 'teidän tämän nämä kaikki teiltä tätä tällais* tämä',
  filler: `
      kiitos pyydän ystävällisesti heti hei terveisin välittömästi ja on ole että voisitteko voitteko koskevat minua
      gdpr n mukais* kiinnosta kiinnostunut terv päivää olen olemme tähän tänne siis kaikki suoramarkkinointiin
      käsittely* nyt mukaan artikla* ette te ystävällisin toistaiseksi mitä pitää tehdä otan seuraavasta viimeisen
      kerran tällaisia saa käyttää olisin siitä huolehtikaa väärä ihminen näitä yksi vielä ettei joten olin oli ollut
      kolmas toinen kerta kertaa päivä viikko todella vain jo hyvin niin koska missä joku joka aina ilman myös
      nimenomaan kokonaan itse kuten tästä näistä niitä ne se he hän meidän vaan ihan tähän_mennessä saako minulle_päin
      näiltä sitä antakaa
    `,
  if: 'jos mikäli',
  instruct: 'klikkaa* linkki* vastaa*',
  i: 'minä me',
  how: 'miten mistä kuinka',
  could: 'voisi* voit* voiko mahdollis* kiitolli* arvosta* iloi* mieluummin',
  object: `
      kyllästyn* ei_toivot* eivät_ole_tervetul* vastust* kiellän kieltä* kiellämme kieltäy* torju* asianaja* valitu*
      tietosuojavaltuut*
    `,
  withdraw: 'perun peruu* peruut*',
  consent: 'suostumu* lupa lupaani',
  processing: 'käsittel* käyttö* markkinointi* käyttäk* käyttä*',
  right: 'oikeu* artikla* gdpr tietosuoja-asetu*',
  but: `
      mutta_soit pitää_lopettaa_nyt ennen vasta kunnes lasku* tarjouksesta kokou* tapaami* sivun vanha* vahingossa asiakk* kymment*
      maanantai* epäröi* ensimmäist* ensimmäinen
    `,
  block: 'mustalle_listalle kieltolist* estolist* estä* estää',
  split: 'ja tai',
  idioms: [
    'jat\\S* (?:minut|meidat|mut) (?:jo )?rauha\\S*',
    'painu\\S* (?:helvettiin|hiiteen|vittuun|kuseen)',
    'haipyk\\S*',
    'etsi\\S* (?:joku muu|toinen|uusi) uhri',
    '(?:ala|alka) (?:ena )?(?:hairitse|hairitko|kiusatko|vaivatko|vaiva)(?: (?:minua|meita|mua))?(?: ena)?',
    'antaka (?:minun|meidan) olla(?: rauhassa)?',
  ],
});
