import { group, PhraseList } from '../mail/phrases/phrase-table.ts';

/** Local parts of addresses that are usually read by several people. */
const SHARED = new PhraseList([
  group('cs', 'usual addresses of companies')`
    obchod
    prodej
  `,
  group('da', 'usual addresses of companies')`
    firmapost
    kundeservice
    salg
  `,
  group('de', 'usual addresses of companies')`
    bestellung
    bewerbung
    buchhaltung
    buero
    einkauf
    empfang
    hallo
    kanzlei
    kontakt
    kundenservice
    post
    praxis
    presse
    redaktion
    reservierung
    rezeption
    sekretariat
    vertrieb
    verwaltung
    zentrale
  `,
  group('en', 'RFC 2142 §3 to §5: info, marketing, sales, support; usual addresses of companies')`
    accounts
    admin
    billing
    booking
    bookings
    business
    contact
    contacts
    customer
    customercare
    customerservice
    enquiries
    enquiry
    events
    feedback
    finance
    hello
    help
    helpdesk
    hi
    hostmaster
    hr
    info
    inquiries
    inquiry
    jobs
    legal
    mail
    marketing
    media
    office
    order
    orders
    partners
    partnership
    postmaster
    press
    procurement
    purchase
    purchasing
    reception
    reservation
    reservations
    sales
    service
    shop
    store
    support
    team
    webmaster
    welcome
  `,
  group('es', 'usual addresses of companies')`
    administracion
    atencion
    clientes
    comercial
    compras
    contabilidad
    contacto
    hola
    pedidos
    ventas
  `,
  group('fi', 'usual addresses of companies')`
    asiakaspalvelu
    myynti
    toimisto
  `,
  group('fr', 'usual addresses of companies')`
    accueil
    administration
    bonjour
    commercial
    direction
    secretariat
  `,
  group('hu', 'usual addresses of companies')`
    ertekesites
    iroda
  `,
  group('it', 'usual addresses of companies')`
    amministrazione
    ciao
    commerciale
    contatti
    posta
    redazione
    segreteria
    ufficio
    vendite
  `,
  group('nl', 'usual addresses of companies')`
    administratie
    advies
    receptie
    secretariaat
    verkoop
  `,
  group('pl', 'usual addresses of companies')`
    biuro
    kancelaria
    recepcja
    sprzedaz
    zamowienia
  `,
  group('pt', 'usual addresses of companies')`
    atendimento
    comunicacao
    contato
    financeiro
    geral
    suporte
    vendas
  `,
  group('ru', 'usual addresses of companies')`
    ofis
    zakaz
  `,
  group('sv', 'usual addresses of companies')`
    kundtjanst
  `,
  group('tr', 'usual addresses of companies')`
    bilgi
    satis
  `,
]);
const SHARED_LOCAL_PART = new RegExp(`^${SHARED.pattern}(?:[-_.+].*)?$`, 'iu');

/** Returns true for an address read by several people; a reply from anyone in its domain counts as a reply from the address. */
export const isSharedMailbox = (address: string): boolean => SHARED_LOCAL_PART.test(address.slice(0, address.lastIndexOf('@')));
