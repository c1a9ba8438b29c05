import { group, PhraseTable } from '../mail/phrases/phrase-table.ts';

/** User agents of programs that fetch images and links; not of the image proxies of mailbox providers, which fetch for a person. */
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
    zscaler
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
