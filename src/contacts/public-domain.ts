// Imports the list itself, without the code of the package, which the bundle would have to wrap.
import emailProviders from 'email-providers/all.json' with { type: 'json' };

/** Domains of mailbox providers that email-providers lacks: national providers, and providers with a domain for each country. */
const ADDITIONS = `
  139.com 189.cn 2980.com 2iij.net 3g.ua aapt.net.au adam.com.au adsl.no aol.at aol.be aol.ca aol.ch aol.com.au aol.com.br aol.de aol.es
  aol.fr aol.in aol.jp aol.nl aol.pl aol.se aon.at aport.ru asahi-net.or.jp atlas.cz au.com auone-net.jp autorambler.ru azet.sk bbiq.jp
  bbnett.no bbtec.net biglobe.ne.jp bigmir.net bigpond.au bigpond.net biz.ezweb.ne.jp bluezone.no box.ua broadpark.no btconnect.co.uk
  casema.nl chello.no chol.com chollian.net citromail.hu clear.net.nz commufa.jp comporium.net dion.ne.jp directbox.com disney.ne.jp
  dnainternet.net dreamwiz.com dti.ne.jp duck.com e-mail.com.tr e-mail.de e-mail.ua ebnett.no elisanet.fi email.ua emnet.ne.jp
  emobile.ne.jp eonet.ne.jp epost.no euromail.hu fastmail.ca fastmail.cn fastmail.co.uk fastmail.com fastmail.de fastmail.es fastmail.fr
  fastmail.im fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw fastmail.us
  force9.co.uk freechal.com freemail.ne.jp frisurf.no getmail.no gmx.biz gmx.ca gmx.ch gmx.co.in gmx.co.uk gmx.es gmx.eu gmx.hk gmx.ie
  gmx.info gmx.it gmx.org gmx.pt gmx.se gmx.sg gmx.tm gmx.tw gmx.us hanafos.com hananet.net hanmail2.net hanmir.com haugnett.no
  hi-ho.ne.jp hispeed.ch hitel.net home.de hotmail.at hotmail.ch hotmail.cl hotmail.co hotmail.co.id hotmail.co.in hotmail.co.za
  hotmail.com.tr hotmail.cz hotmail.fi hotmail.hu hotmail.jp hotmail.lt hotmail.lv hotmail.my hotmail.no hotmail.ph hotmail.pt hotmail.rs
  hotmail.sa hotmail.se hotmail.sk iij4u.or.jp inbox.lt indamail.hu infoseek.co.jp infoweb.ne.jp interia.eu internet.ru iol.pt
  jcom.zaq.ne.jp jubii.dk jubiipost.dk jubiipostadresse.dk kakao.com kcn.ne.jp km.ru kolumbus.fi kornet.net lajt.hu lenta.ru live.at
  live.ch live.cl live.co.za live.com.my live.com.ph live.com.pt live.fi live.gr live.in live.mc live.no live.pt live.ru live.se
  livedoor.com losmail.no lyse.net mail.bg mail.ch mail.com.tr mail.de mail.dk mail.fr mail.lv mail.sony.jp mailfence.com megaegg.ne.jp
  mesh.ad.jp meta.ua mimer.no mineo.jp mopera.net mozmail.com msn.nl my.com mynet.com myrambler.ru nana10.co.il net-c.be net-c.ca
  net-c.com net-c.es net-c.fr net-c.it net-c.nl net-c.pl netc.eu netc.fr netc.it netc.lu netc.pl netcom.no netsgo.com netti.fi nextmail.ru
  nifty.com nifty.ne.jp noos.fr nownuri.net ntebb.no o2online.de ocn.ne.jp odn.ad.jp odn.ne.jp onet.com.pl onet.eu online-home.de
  online.nl online.no op.pl openmailbox.org opoczta.pl orange.es otenet.gr outlook.nl panda.tnc.ne.jp pandora.be paran.com passmail.com
  passmail.net pdx.ne.jp perso.be pikara.ne.jp plala.or.jp plus.com poczta.onet.eu poczta.onet.pl posteo.af posteo.at posteo.be posteo.ch
  posteo.co.uk posteo.cr posteo.cz posteo.de posteo.dk posteo.ee posteo.es posteo.eu posteo.fi posteo.gr posteo.hn posteo.hr posteo.hu
  posteo.ie posteo.in posteo.is posteo.jp posteo.la posteo.li posteo.lt posteo.lu posteo.me posteo.mx posteo.my posteo.net posteo.nl
  posteo.no posteo.nz posteo.org posteo.pe posteo.pl posteo.pm posteo.pt posteo.ro posteo.ru posteo.se posteo.sg posteo.si posteo.tn
  posteo.uk posteo.us pp.inet.fi proton.ch qip.ru quicknet.nl rakumail.jp rakuten.jp rediff.com renren.com ro.ru sakura.ne.jp scarlet.nl
  sensewave.com simplelogin.co simplelogin.com sina.com.cn sky.tkc.ne.jp sky.tkk.ne.jp sky.tu-ka.ne.jp sms.at so-net.ne.jp sogou.com
  sohu.com solcon.nl spaaqs.ne.jp spoko.pl start.no startmail.com suomi24.fi t-com.ne.jp t-online.at tele2.nl tele2.no telefonica.net
  telepac.pt telfort.nl telia.com telstra.com.au thrunet.com tiki.ne.jp tiscali.cz tiscali.no tistory.com tlen.pl tokai.or.jp totalmail.de
  tut.by tuta.com tuta.io tutamail.com tutanota.com tutanota.de ua.fm ucom.ne.jp uk2.net ukrpost.net unitel.co.kr upc.nl upcmail.nl
  uqmobile.jp versatel.nl vip.126.com vip.163.com vip.onet.pl vipmail.hu vodafone.de vodafone.ne.jp vodafone.nl vodafonethuis.nl vp.pl
  wanadoo.nl wcm.ne.jp willcom.com wo.com.cn yahoo.bg yahoo.cl yahoo.com.pe yahoo.com.ve yahoo.ee yahoo.hr yahoo.lt yahoo.lv yahoo.rs
  yahoo.si yahoo.sk yandex.by yandex.com.tr yandex.kz yandex.uz ymail.ne.jp ymobile.ne.jp ymobile1.ne.jp zaq.ne.jp ziggo.nl zoho.in
  zohomail.com.au zohomail.eu zohomail.in zohomail.jp zoznam.sk
`;

/** Domains in email-providers that are not mailbox providers: those of companies, of a university, and of examples (RFC 2606 §3). */
const NO_PROVIDERS = new Set(['alibaba.com', 'bt.com', 'example.com', 'facebook.com', 'nus.edu.sg', 'test.com', 'test.de']);

/** Built on first use, because most commands don't need it. */
let publicDomains: ReadonlySet<string> | undefined;

/** True for the domain of a mailbox provider, such as `gmail.com`: people who share it do not work for the same company. */
export function isPublicDomain(domain: string): boolean {
  publicDomains ??= new Set([...emailProviders.filter((each) => !NO_PROVIDERS.has(each)), ...ADDITIONS.trim().split(/\s+/)]);
  return publicDomains.has(domain.toLowerCase());
}
