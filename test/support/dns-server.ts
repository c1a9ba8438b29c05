import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { afterFile } from './after-file.ts';

/** Records by name in lower case: `MX` as `10 mail.example.com`, `TXT`, `A` and `PTR` as they are. */
export type Zone = Record<string, Partial<Record<'MX' | 'TXT' | 'A' | 'PTR', string[]>>>;

export interface DnsServer {
  /** The address as settings name it. */
  readonly address: string;
  /** Its records. Change them as a person changes DNS. */
  zone: Zone;
  /** Every query, as `TXT example.com`. */
  readonly asked: string[];
}

const TYPES: Record<number, 'MX' | 'TXT' | 'A' | 'PTR'> = { 1: 'A', 12: 'PTR', 15: 'MX', 16: 'TXT' };
const NXDOMAIN = 3;

const word = (value: number) => Buffer.from([value >> 8, value & 255]);
const nameOf = (name: string) =>
  Buffer.concat([
    ...name
      .split('.')
      .filter((label) => label !== '')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function rdata(type: 'MX' | 'TXT' | 'A' | 'PTR', value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'PTR') return nameOf(value);
  if (type === 'TXT')
    return Buffer.concat((value.match(/.{1,255}/g) ?? []).map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  const [priority, exchange = ''] = value.split(' ');
  return Buffer.concat([word(Number(priority)), nameOf(exchange === '.' ? '' : exchange)]);
}

/** Starts a name server on the loopback interface (RFC 1035 §4), closed after the test file. */
export async function startDnsServer(zone: Zone = {}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: DnsServer = { address: `127.0.0.1:${socket.address().port}`, zone, asked: [] };
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const question = query.subarray(12, at + 5);
    const name = labels.join('.').toLowerCase();
    const type = TYPES[query.readUInt16BE(at + 1)];
    if (type !== undefined) server.asked.push(`${type} ${name}`);
    const records = type === undefined ? [] : (server.zone[name]?.[type] ?? []);
    const isKnown = Object.keys(server.zone).some((known) => known === name || known.endsWith(`.${name}`));
    const answers = records.map((value) => {
      const data = rdata(type as 'MX', value);
      return Buffer.concat([word(0xc00c), query.subarray(at + 1, at + 3), word(1), word(0), word(60), word(data.length), data]);
    });
    const head = Buffer.concat([
      query.subarray(0, 2),
      word(0x8180 | (isKnown ? 0 : NXDOMAIN)),
      word(1),
      word(answers.length),
      word(0),
      word(0),
    ]);
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  afterFile(async () => void socket.close());
  return server;
}

/** Returns the name under which an IPv4 address is queried: `4.3.2.1.ZONE`. */
export const reverseName = (address: string, zone = 'in-addr.arpa'): string =>
  `${isIP(address) === 4 ? address.split('.').reverse().join('.') : address}.${zone}`;
