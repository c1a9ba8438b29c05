// The list itself: what the package exports is CommonJS, of which the bundle would copy each of 13,000 elements.
import freeEmailDomains from 'free-email-domains/domains.json' with { type: 'json' };

/** Domains of mailbox providers that free-email-domains lacks. */
const ADDITIONS = `
  email.de fastmail.de fastmail.fr fastmail.org hey.com mailbox.org mozmail.com o2online.de passmail.com passmail.net
  privaterelay.appleid.com proton.ch simplelogin.co simplelogin.com startmail.com t-online.at tin.it tiscali.cz tuta.com tutamail.com
  tutanota.com vip.163.com vodafone.de zohomail.com.au zohomail.eu zohomail.in zohomail.jp

  aol.at aol.be aol.ca aol.ch aol.com.au aol.com.br aol.es aol.in aol.it aol.jp aol.nl aol.pl aol.se gmx.biz gmx.co.in gmx.eu gmx.info
  gmx.it gmx.org gmx.se gmx.tm hotmail.at hotmail.cl hotmail.co.id hotmail.com.ar hotmail.lt hotmail.lv hotmail.pt hotmail.rs hotmail.sa
  hotmail.sk live.ch live.com.my live.com.ph live.fi live.gr live.mc live.pt orange.es outlook.com.ar sina.com.cn wanadoo.nl yahoo.bg
  yahoo.cl yahoo.com.pe yahoo.com.ve yahoo.ee yahoo.hr yahoo.lt yahoo.lv yahoo.rs yahoo.si yahoo.sk yandex.com.tr yandex.uz zoho.in
`;

/** Built on first use: most commands never ask. */
let publicDomains: ReadonlySet<string> | undefined;

/** True for the domain of a mailbox provider, such as `gmail.com`: people who share it do not work for the same company. */
export function isPublicDomain(domain: string): boolean {
  publicDomains ??= new Set([...freeEmailDomains, ...ADDITIONS.trim().split(/\s+/)]);
  return publicDomains.has(domain.toLowerCase());
}
