import { BlockList, isIP } from 'node:net';
import { askAddresses, askDns, askText, type DnsLookups, LOOKUP_SECONDS } from '../core/dns.ts';
import { type Check, good, stop, unanswered, watch } from './check.ts';

/** RFC 7208 §4.6.4: receivers stop at the eleventh term that needs a DNS look-up. */
const MAX_LOOKUPS = 10;

/** The server that sends for a domain: its known addresses, and the record that its provider requires to be included. */
export interface SendingServer {
  addresses: readonly string[];
  /** For example `_spf.google.com`; null for a provider that publishes none. */
  include: string | null;
}

/** Checks which servers may send for the domain, and that the sending server is among them. */
export async function checkSpf(domain: string, server: SendingServer, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Check> {
  const answer = await askText(domain, RECORD, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered('spf', answer.code);
  if (answer.kind === 'none')
    return watch(
      'spf',
      'no SPF record',
      `add a TXT record that lists the sending servers, for example "v=spf1 ${server.include === null ? 'mx include:PROVIDER' : `include:${server.include}`} ~all"`,
    );
  const [record = ''] = answer.rows;
  if (answer.rows.length > 1) return stop('spf', 'several SPF records are an error (RFC 7208 §4.5)', 'merge them into one');
  if (/ \+?all( |$)/i.test(record)) return watch('spf', `"${record}" allows anyone to send for the domain`, 'end it with ~all or -all');
  const walk = new SpfWalk(dns, seconds);
  await walk.read(domain, record);
  return judge(record, walk, server);
}

function judge(record: string, walk: SpfWalk, { addresses, include }: SendingServer): Check {
  if (walk.unanswered !== null) return unanswered('spf', walk.unanswered);
  if (walk.lookups > MAX_LOOKUPS)
    return stop(
      'spf',
      `"${record}" needs ${walk.lookups} DNS look-ups, and receivers give up after ${MAX_LOOKUPS} (RFC 7208 §4.6.4)`,
      'remove includes of services that no longer send for the domain',
    );
  if (walk.missing.length > 0)
    return stop(
      'spf',
      `"${record}" includes ${walk.missing.join(', ')}, which has no SPF record: that is an error for the whole record (RFC 7208 §5.2)`,
      'correct or remove it',
    );
  if (walk.hasMacros) return good('spf', record);
  if (include !== null && !walk.included.has(include))
    return stop('spf', `"${record}" does not include the servers of its provider`, `add include:${include}`);
  const foreign = addresses.filter((address) => !walk.allows(address));
  if (addresses.length > 0 && foreign.length === addresses.length)
    return stop('spf', `"${record}" does not allow the sending server, ${foreign.join(', ')}`, `add ip4:${foreign[0]}`);
  return good('spf', record);
}

const RECORD = /^v=spf1( |$)/i;
const TERM = /^([+\-~?]?)(ip4|ip6|a|mx|include|exists|ptr|redirect)(?:[:=](.+?))?((?:\/\d+)*)$/i;

/** Reads a record and the records that it includes (RFC 7208 §4.6.4, §5, §6.1). */
class SpfWalk {
  lookups = 0;
  hasMacros = false;
  /** Code of the first look-up without an answer. */
  unanswered: string | null = null;
  /** Included names without a record. */
  readonly missing: string[] = [];
  readonly included = new Set<string>();
  readonly #allowed = new BlockList();
  readonly #dns: DnsLookups;
  readonly #seconds: number;

  constructor(dns: DnsLookups, seconds: number) {
    this.#dns = dns;
    this.#seconds = seconds;
  }

  allows(address: string): boolean {
    return this.#allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  async read(domain: string, record: string): Promise<void> {
    for (const term of record.split(/ +/).slice(1)) {
      // Stop at the limit, because records can include others endlessly.
      if (this.lookups > MAX_LOOKUPS) return;
      const [, qualifier = '', kind = '', value = '', prefix = ''] = TERM.exec(term) ?? [];
      if (kind === '') continue;
      if (value.includes('%')) this.hasMacros = true;
      else await this.#take(kind.toLowerCase(), value || domain, prefix, qualifier === '' || qualifier === '+');
    }
  }

  async #take(kind: string, value: string, prefix: string, isAllowed: boolean): Promise<void> {
    if (kind === 'ip4' || kind === 'ip6') {
      if (isAllowed) this.#allow(value, prefix);
      return;
    }
    this.lookups++;
    if (kind === 'include' || kind === 'redirect') await this.#follow(value.toLowerCase());
    else if (kind === 'a' && isAllowed) await this.#allowHost(value, prefix);
    else if (kind === 'mx' && isAllowed) {
      const servers = this.#rowsOf(await askDns(() => this.#dns.resolveMx(value), this.#seconds));
      for (const { exchange } of servers) if (exchange !== '') await this.#allowHost(exchange, prefix);
    }
  }

  async #follow(name: string): Promise<void> {
    if (this.included.has(name)) return;
    this.included.add(name);
    const answer = await askText(name, RECORD, this.#dns, this.#seconds);
    if (answer.kind === 'none') this.missing.push(name);
    const [record] = this.#rowsOf(answer);
    if (record !== undefined) await this.read(name, record);
  }

  async #allowHost(host: string, prefix: string): Promise<void> {
    for (const address of this.#rowsOf(await askAddresses(host, this.#dns, this.#seconds))) this.#allow(address, prefix);
  }

  #rowsOf<Row>(answer: Awaited<ReturnType<typeof askDns<Row>>>): Row[] {
    if (answer.kind === 'unanswered') this.unanswered ??= answer.code;
    return answer.kind === 'found' ? answer.rows : [];
  }

  /** @param prefix `/24`, or `/24//64` for both families */
  #allow(address: string, prefix: string): void {
    const family = isIP(address);
    if (family === 0) return;
    const [four, six] = prefix.split('//').map((part) => part.replace('/', ''));
    const bits = (family === 4 ? four : (six ?? (prefix.includes('//') ? '' : four))) || (family === 4 ? '32' : '128');
    if (Number(bits) <= (family === 4 ? 32 : 128)) this.#allowed.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
}
