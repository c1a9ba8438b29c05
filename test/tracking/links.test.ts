import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../../src/secrets/seal.ts';
import { burstsAmong, machineReason } from '../../src/tracking/machine.ts';
import { APPLE, isOfApple } from '../../src/tracking/networks.ts';
import { addPixel, rewriteLinks } from '../../src/tracking/rewrite.ts';
import { linkPath, readLink } from '../../src/tracking/token.ts';

const sealer = createSealer('dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ');
const partsOf = (path: string) => {
  const [, , mail = '', signature = '', target] = path.split('/');
  return { mail, signature, target };
};

describe('a signed link', () => {
  it('reads back what it was made of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.webUrl({ withQueryParameters: true }), (id, url) => {
        expect(readLink(sealer, 'c', partsOf(linkPath(sealer, 'c', id, url)))).toEqual({ outboxId: id, url });
      }),
    );
  });

  it("can't be turned into an open redirect: any change of any character is refused", () => {
    const path = linkPath(sealer, 'c', 812, 'https://example.net/a');
    for (let index = 3; index < path.length; index++) {
      for (const character of 'Az0-_/') {
        if (path[index] === character) continue;
        expect(readLink(sealer, 'c', partsOf(path.slice(0, index) + character + path.slice(index + 1)))).toBeUndefined();
      }
    }
  });

  it('stands for one purpose only', () => {
    expect(readLink(sealer, 'u', partsOf(linkPath(sealer, 'o', 5)))).toBeUndefined();
    expect(
      readLink(createSealer('b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldC1vdGhlci1zZWM'), 'u', partsOf(linkPath(sealer, 'u', 5))),
    ).toBeUndefined();
  });
});

describe('links in a mail', () => {
  const track = (html: string) => rewriteLinks(html, (url) => `T(${url})`);

  it('http and https targets are exchanged, entities decoded, everything else keeps its bytes', () => {
    expect(track('<P class=x>a <A HREF="https://e.example/?a=1&amp;b=2" title="t">b</A></P><br>')).toBe(
      '<P class=x>a <A href="T(https://e.example/?a=1&b=2)" title="t">b</A></P><br>',
    );
  });

  it.each([
    '<a href="mailto:a@example.org">m</a>',
    '<a href="tel:+491234">t</a>',
    '<a href="#top">anchor</a>',
    '<a href="/relative">r</a>',
    '<a href="javascript:alert(1)">j</a>',
    '<a data-no-track href="https://e.example">n</a>',
    'text https://e.example that is no link',
    '<!-- <a href="https://e.example">commented out</a> -->',
  ])('stays as it is: %s', (html) => {
    expect(track(html)).toBe(html);
  });

  it('a button for Outlook counts too: the links of conditional comments, and of the shapes in them', () => {
    const button = (link: string) =>
      `<!--[if mso]><v:roundrect href="${link}"><a href="${link}">Go</a></v:roundrect><![endif]--><!--[if !mso]><!--><a href="${link}">Go</a><!--<![endif]-->`;
    expect(track(button('https://e.example/go'))).toBe(button('T(https://e.example/go)'));
    for (const open of ['<!--[if mso]><a href="https://e.example">', '<!--[if mso <a href="https://e.example"> -->'])
      expect(track(open)).toBe(open);
  });

  it('"{{unsubscribe_url}}?lang=de" is no link to count, and one that no web server would take stays as it is', () => {
    const optOut = 'https://links.example/u/1/x';
    const own = `<a href="${optOut}?lang=de">Abmelden</a><a href="${optOut}">Off</a>`;
    expect(rewriteLinks(own, (url) => `T(${url})`, optOut)).toBe(own);
    const long = `<a href="https://e.example/?${'q'.repeat(14_000)}">long</a>`;
    expect(track(long)).toBe(long);
  });

  it('the image goes before the end of the body, or to the end', () => {
    expect(addPixel('<body>x</body>', 'U')).toBe('<body>x<img src="U" width="1" height="1" alt="" style="border:0"></body>');
    expect(addPixel('x', 'U')).toMatch(/^x<img src="U"/);
    expect(addPixel('<body><!-- old: </body> -->x</body>', 'U')).toMatch(/^<body><!-- old: <\/body> -->x<img src="U" .*><\/body>$/);
  });
});

describe('machines', () => {
  const hit = {
    kind: 'opened' as const,
    method: 'GET',
    userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605',
    headers: {},
    age: 60_000,
    ip: null,
    isOwnSide: false,
  };

  it.each([
    ['HEAD never counts', { ...hit, method: 'HEAD' }],
    ['Apple mail privacy loads every image in advance', { ...hit, userAgent: 'Mozilla/5.0' }],
    ['Apple mail privacy by its relay, under the name of the email client', { ...hit, ip: '172.225.26.161' }],
    ['the same over IPv6', { ...hit, ip: '2a02:26f7:b056:4000::9' }],
    ['the same from Apple’s own network', { ...hit, ip: '17.58.97.3' }],
    ['a scanner', { ...hit, userAgent: 'Mozilla/5.0 (compatible; Barracuda Sentinel)' }],
    ['a prefetch', { ...hit, headers: { 'sec-purpose': 'prefetch' } }],
    ['no user agent', { ...hit, userAgent: '' }],
    ...[
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
      'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; WOW64; Trident/6.0; Microsoft Office Existence Discovery)',
      ...['AHC/2.1', 'RestSharp/106.15.0.0', 'GuzzleHttp/7', 'Microsoft BITS/7.8', 'Dart/3.2 (dart:io)', 'FeedFetcher-Google'],
      ...['MetaInspector/5.15.0 (+https://github.com/jaimeiniesta/metainspector)', 'Mozilla/5.0 zgrab/0.x', 'Python/3.11 aiohttp/3.9'],
    ].map((userAgent): [string, typeof hit] => [`"a user agent that is no email client or browser": ${userAgent}`, { ...hit, userAgent }]),
    ['"from the sender\'s own side"', { ...hit, isOwnSide: true }],
    ['two seconds after sending nobody has opened it', { ...hit, age: 1_500 }],
    ['ten seconds after sending nobody has clicked', { ...hit, kind: 'clicked' as const, age: 9_000 }],
  ])('%s', (_, request) => {
    expect(machineReason(request)).toEqual(expect.any(String));
  });

  it('the networks of Apple have a source, and the date when it was read', () => {
    for (const { source, read, networks } of APPLE) {
      expect(source).not.toBe('');
      expect(read).toMatch(/^20\d\d-\d\d$/);
      for (const network of networks) expect(isOfApple(network.split('/')[0] ?? ''), network).toBe(true);
    }
    expect([null, '18.0.0.1', '172.223.255.255', '172.228.0.1', '2a04:4e40::1', '::1'].map(isOfApple)).not.toContain(true);
  });

  it('a person, and the image proxy that a person makes fetch, count', () => {
    expect(machineReason(hit)).toBeNull();
    const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
    // Who reads webmail by Apple's relay, and who follows a link by it, is a person (K-5).
    expect(machineReason({ ...hit, ip: '104.28.40.9', userAgent: safari })).toBeNull();
    expect(machineReason({ ...hit, ip: '104.28.40.9', kind: 'clicked' })).toBeNull();
    expect(machineReason({ ...hit, ip: '104.29.0.1' })).toBeNull();
    for (const userAgent of [
      'Mozilla/5.0 (Windows NT 5.1) (via ggpht.com GoogleImageProxy)',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.12026; ms-office; MSOffice 16)',
      'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
      'Outlook-iOS/709.2226530.prod.iphone (3.24.1)',
      'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A)',
      'MobileMail/9.3 CFNetwork/1410 Darwin/22.6',
    ])
      expect(machineReason({ ...hit, userAgent }), userAgent).toBeNull();
  });

  it('different links of one mail within two seconds are a scanner walking through it', () => {
    const at = (seconds: number) => new Date(1_000 * seconds);
    const clicks = [
      { at: at(20), url: 'a' },
      { at: at(20.5), url: 'b' },
      { at: at(90), url: 'a' },
      { at: at(90.1), url: 'a' },
    ];
    expect([...burstsAmong(clicks)]).toEqual(clicks.slice(0, 2));
  });

  it('"by HEAD or prefetch": a link that is fetched right after a HEAD for it is being checked', () => {
    const at = (seconds: number) => new Date(1_000 * seconds);
    const clicks = [
      { at: at(15), url: 'a', isHead: true },
      { at: at(18), url: 'a' },
      { at: at(40), url: 'b' },
      { at: at(60), url: 'a' },
    ];
    expect([...burstsAmong(clicks)]).toEqual(clicks.slice(0, 2));
  });
});
