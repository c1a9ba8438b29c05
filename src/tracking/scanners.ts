import { group, PhraseTable } from '../mail/phrases/phrase-table.ts';

/** User agents of programs that fetch images and links. Excludes image proxies of mailbox providers, which fetch on behalf of a person. */
export const SCANNERS = new PhraseTable([
  group('any', 'security gateways and link scanners')`
    barracuda
    bitdefender
    cisco
    fireeye
    forcepoint
    ironport
    mimecast
    proofpoint
    safelinks
    sophos
    symantec
    trend[ ]micro
    urlscan
    virustotal
    zgrab
    zscaler
  `,
  group('any', 'fetches at delivery: Google (ahoy_email#139) and Office')`
    chrome/42.0.2311.135
    existence discovery
  `,
  group('any', 'crawlers and link previews')`
    bingpreview
    bot|
    crawl
    facebookexternalhit
    skypeuripreview
    slurp
    spider
    whatsapp
  `,
  group('any', 'HTTP libraries and browsers without a window')`
    apache-httpclient
    axios
    curl
    go-http-client
    headlesschrome
    java/
    libwww
    node-fetch
    okhttp
    phantomjs
    python
    scrapy
    undici
    wget
  `,
]);

/** User agents of email clients, their image proxies and browsers that don't call themselves `Mozilla/`. */
export const EMAIL_CLIENTS = new PhraseTable([
  group('any', 'email clients')`
    airmail
    apple mail
    blackberry
    canary
    claws
    edison
    em client
    evolution
    foxmail
    geary
    k-9
    kmail
    lotus
    mailbird
    mobilemail
    notes
    outlook
    postbox
    spark
    superhuman
    sylpheed
    the bat
    thunderbird
    zimbra
  `,
  group('any', 'image proxies of mailbox providers, and what fetches images for apps of Android')`
    dalvik/
    googleimageproxy
    yahoomailproxy
  `,
  group('any', 'browsers')`
    opera/
  `,
]);
