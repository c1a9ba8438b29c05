import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { INTERNET, type Network, publicAddresses } from '../../src/core/network.ts';
import { isPublicAddress, publicNames } from '../../src/core/public-address.ts';

const asking = (resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): Network => ({
  addressesOf: (host) => publicNames(host, resolver),
  isPublic: isPublicAddress,
});

describe('The addresses that may be connected to', () => {
  it('are refused if one of them is private', async () => {
    const names = (four: string[], six: string[]) =>
      asking({ resolve4: async () => four, resolve6: async () => six } as unknown as Resolver);
    await expect(publicAddresses(names(['127.0.0.1'], []), 'a.example')).rejects.toThrow(/^a\.example is 127\.0\.0\.1: not an address of/);
    await expect(publicAddresses(names(['93.184.216.34'], ['::1']), 'a.example')).rejects.toThrow(/^a\.example is ::1: not an/);
    const both = [{ address: '93.184.216.34', family: 4 }, { address: '2606:2800::1', family: 6 }]; // biome-ignore format: one line
    expect(await publicAddresses(names(['93.184.216.34'], ['2606:2800::1']), 'a.example')).toEqual(both);
    await expect(publicAddresses(INTERNET, '169.254.169.254')).rejects.toThrow(
      /^169\.254\.169\.254 is not an address of the public internet/,
    );
    expect(await publicAddresses(INTERNET, '2606:4700::1111')).toEqual([{ address: '2606:4700::1111', family: 6 }]);
  });

  it('names whose servers never answer keep nobody else waiting', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);
    const asked = Array.from({ length: 50 }, (_, index) => publicAddresses(asking(resolver), `n${index}.example`));
    const ended = Promise.race(asked).catch(() => 'one has ended');
    expect(await Promise.race([ended, lookup('localhost')])).toHaveProperty('address');
    resolver.cancel();
    expect(new Set((await Promise.allSettled(asked)).map(({ status }) => status))).toEqual(new Set(['rejected']));
    silent.close();
  });
});
