import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/core/public-address.ts';
import { receiverUrl } from '../../src/webhooks/address-guard.ts';

const PRIVATE = [
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.8', '192.0.2.1', '192.88.99.2', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:169.254.169.254', '::ffff:a00:1', '0:0:0:0:0:ffff:7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b::1', '64:ff9b:1::1', '100::1', '2001::1', '2001:10::1', '2001:db8::1'],
  ...['2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  // The old translated form of IPv4, and what nobody was given.
  ...['::ffff:0:127.0.0.1', '::ffff:0:a00:1', '1234::1', '4000::1', '8000::1', 'e000::1'],
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

describe('Addresses of the public internet', () => {
  it.each(PRIVATE)('%s is none (RFC 6890)', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(PUBLIC)('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));
  it('what is no address is none', () => expect(isPublicAddress('example.com')).toBe(false));
});

describe('The address of a receiver', () => {
  const strict = { allowPrivate: false };
  // One spelling after the other of 127.0.0.1, the metadata service and the like.
  it.each([
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f.0.0.1/', 'https://0177.0.0.1/', 'https://0/'],
    ...['https://[::1]/', 'https://[::ffff:169.254.169.254]/', 'https://[::ffff:7f00:1]/', 'https://[64:ff9b::7f00:1]/'],
    ...['https://169.254.169.254/latest/meta-data/', 'https://10.0.0.1:8443/', 'https://192.168.0.1/', 'https://100.64.1.1/'],
    ...[
      'https://localhost/',
      'https://LOCALHOST./',
      'https://db.localhost/',
      'https://printer.local/',
      'https://metadata.google.internal/',
    ],
    ...['https://１２７.０.０.１/', 'https://127。0。0。1/'],
  ])('%s is refused', (url) => expect(() => receiverUrl(url, strict)).toThrow(/^url: not an address of the public internet/));

  it.each([
    ['http://example.com/', 'must start with https://'],
    ['ftp://example.com/', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['https://user:pass@example.com/', 'must not contain a user name or password'],
    ['https://example.com/#part', 'must not have a fragment'],
    ['example.com', 'must be an https URL'],
    ['', 'must be an https URL'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'at most 2,048 characters'],
  ])('%s: %s', (url, message) => expect(() => receiverUrl(url, strict)).toThrow(`url: ${message}`));

  it('a public https address is taken in its one spelling', () => {
    expect(receiverUrl('HTTPS://Example.COM:443/Hook?x=1', strict)).toBe('https://example.com/Hook?x=1');
  });

  it('webhooks.allow_private: private addresses and http too, nothing else', () => {
    expect(receiverUrl('http://127.0.0.1:9/hook', { allowPrivate: true })).toBe('http://127.0.0.1:9/hook');
    expect(() => receiverUrl('file:///etc/passwd', { allowPrivate: true })).toThrow('url: must start with https://');
  });
});
