import { group, PhraseList } from '../mail/phrases/phrase-table.ts';

/** Local parts of addresses that several people read. */
const SHARED = new PhraseList([
  group('de', 'usual addresses of companies')`
    buchhaltung
    einkauf
    empfang
    hallo
    kontakt
    post
    sekretariat
    vertrieb
    zentrale
  `,
  group('en', 'RFC 2142 §3 to §5: info, marketing, sales, support; usual addresses of companies')`
    accounts
    admin
    billing
    contact
    contacts
    enquiries
    enquiry
    hello
    hi
    hr
    info
    inquiries
    inquiry
    jobs
    mail
    marketing
    office
    purchasing
    sales
    service
    support
    team
    welcome
  `,
  group('es', 'usual addresses of companies')`
    contacto
    ventas
  `,
  group('it', 'usual addresses of companies')`
    contatti
    vendite
  `,
  group('pt', 'usual addresses of companies')`
    contato
    vendas
  `,
]);
const SHARED_LOCAL_PART = new RegExp(`^${SHARED.pattern}(?:[-_.+].*)?$`, 'iu');

/** True for an address that several people read, so that a reply from anyone of its domain is a reply to it. */
export const isSharedMailbox = (address: string): boolean => SHARED_LOCAL_PART.test(address.slice(0, address.lastIndexOf('@')));
