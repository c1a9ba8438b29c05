import { BlockList, isIP } from 'node:net';

/** Networks of one operator, with the place of publication and the time at which we read it. */
interface Networks {
  operator: string;
  source: string;
  read: string;
  networks: readonly string[];
}

/**
 * Networks through which Apple fetches images for Mail Privacy Protection: the exits of its relay, at three operators, and its own network.
 * They contain the published ranges, of which there are thousands that change every week.
 */
export const APPLE: readonly Networks[] = [
  {
    operator: 'Apple',
    source: 'ARIN NET-17-0-0-0-1',
    read: '2026-11',
    networks: ['17.0.0.0/8'],
  },
  {
    operator: 'Akamai for Apple',
    source: 'mask-api.icloud.com/egress-ip-ranges.csv',
    read: '2026-05',
    networks: ['172.224.0.0/14', '2a02:26f7::/32'],
  },
  {
    operator: 'Cloudflare for Apple',
    source: 'mask-api.icloud.com/egress-ip-ranges.csv',
    read: '2026-05',
    networks: ['104.28.0.0/16', '2606:54c0::/30', '2a09:bac2::/31'],
  },
  {
    operator: 'Fastly for Apple',
    source: 'mask-api.icloud.com/egress-ip-ranges.csv',
    read: '2026-05',
    networks: ['140.248.0.0/16', '146.75.128.0/17', '2a04:4e41::/32'],
  },
];

const apple = new BlockList();
for (const network of APPLE.flatMap(({ networks }) => networks)) {
  const [address = '', bits] = network.split('/');
  apple.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Returns true for an address of Apple or of its relay. @param ip as `clientAddress` returns it */
export const isOfApple = (ip: string | null): boolean => ip !== null && apple.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
