import { globSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientAddress, networkOf } from '../../src/core/client-address.ts';

describe('the address of a client (RFC 7239 §6, X-Forwarded-For)', () => {
  const FORMS: readonly (readonly [text: string, address: string])[] = [
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:5678', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
  ];
  it.each(FORMS)('%j is %j', (text, address) => expect(clientAddress(text)).toBe(address));

  const NONE = ['unknown', '_hidden', '', ':80', '[]:80', '1.2.3', '1.2.3.4.5', '999.1.1.1:80', '01.2.3.4', 'localhost', "'; --"];
  it.each(NONE)('%j is none', (text) => expect(clientAddress(text)).toBeNull());

  it('is always an address or null, and its network one that PostgreSQL takes', () => {
    const texts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.stringMatching(/^[0-9a-f:.%[\]]{0,20}$/), fc.string());
    fc.assert(
      fc.property(texts, (text) => {
        const address = clientAddress(text);
        if (address === null) return;
        expect(isIP(address)).toBeGreaterThan(0);
        const [network = '', bits] = networkOf(address).split('/');
        expect(isIP(network)).toBe(isIP(address));
        expect(bits).toBe(isIP(address) === 4 ? '24' : '48');
      }),
    );
    expect(clientAddress(undefined)).toBeNull();
    expect(['203.0.113.9', '2001:db8:1:2::3', '::1', '2001::1', '1:2:3:4:5:6:7:8'].map(networkOf)).toEqual([
      ...['203.0.113.0/24', '2001:db8:1::/48', '0::/48', '2001::/48', '1:2:3::/48'],
    ]);
  });

  it('is what everybody goes by: nothing reads the address of a request as it comes', () => {
    const readers = globSync('src/**/*.ts').filter((file) => /(?<!clientAddress\()req\.ips?\b/.test(readFileSync(file, 'utf8')));
    expect(readers).toEqual([]);
  });
});
