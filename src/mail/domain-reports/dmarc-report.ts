import { isIP } from 'node:net';
import { Parser } from 'htmlparser2';
import { SECOND } from '../../core/clock.ts';
import { countIn, type DomainReport, domainIn, headingOf, ReportRefused, Sources } from './report.ts';

const CHUNK = 64 * 1024;
/** Most levels of elements; a report has six. */
const MAX_DEPTH = 20;
/** Most characters of a value. */
const MAX_VALUE = 1_000;
const MAX_KEYS = 20;

/** A record of a report: its values by their path below `record`, such as `row/source_ip`, and its DKIM signatures. */
interface ReportRecord {
  values: Map<string, string>;
  signatures: Signature[];
}

interface Signature {
  domain?: string;
  selector?: string;
  result?: string;
}

/**
 * Reads an aggregate report (RFC 7489 Appendix C, RFC 9990). The parser knows only the predefined entities of XML, and a document that
 * declares its own is refused. Ignores elements that it does not need.
 * @throws ReportRefused
 */
export function readDmarcReport(xml: Uint8Array): DomainReport {
  const reading = new Reading();
  const parser = new Parser(
    {
      onopentag: (name) => reading.open(name),
      ontext: (text) => reading.text(text),
      onclosetag: (name, isImplied) => reading.close(name, isImplied),
      onprocessinginstruction: (name) => {
        if (name.toLowerCase() === '!doctype') throw new ReportRefused('it declares a document type');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for (let at = 0; at < xml.length; at += CHUNK) parser.write(decoder.decode(xml.subarray(at, at + CHUNK), { stream: true }));
  parser.end(decoder.decode());
  return reading.report();
}

class Reading {
  readonly #path: string[] = [];
  readonly #values = new Map<string, string>();
  readonly #sources = new Sources();
  readonly #keys = new Set<string>();
  #record: ReportRecord = { values: new Map(), signatures: [] };
  #text = '';
  #isComplete = false;

  open(name: string): void {
    if (this.#path.length >= MAX_DEPTH) throw new ReportRefused('its elements are nested too deeply');
    const element = localName(name);
    // Some receivers begin with the opening tag of the schema and never close it.
    if (element === 'feedback' && this.#path.join('/') === 'schema') this.#path.length = 0;
    this.#path.push(element);
    this.#text = '';
    if (this.#path.join('/') === 'feedback/record') this.#record = { values: new Map(), signatures: [] };
    if (this.#path.join('/') === SIGNATURE) this.#record.signatures.push({});
  }

  text(text: string): void {
    if (this.#text.length < MAX_VALUE) this.#text += text.slice(0, MAX_VALUE);
  }

  close(_name: string, isImplied: boolean): void {
    const path = this.#path.join('/');
    const value = this.#text.trim();
    this.#text = '';
    const name = this.#path.pop();
    if (path === 'feedback') this.#isComplete = !isImplied;
    else if (path === 'feedback/record' && !isImplied) this.#take(this.#record);
    else if (path === `${SIGNATURE}/${name}`) Object.assign(this.#record.signatures.at(-1) ?? {}, { [String(name)]: value });
    else if (path.startsWith('feedback/record/')) this.#record.values.set(path.slice('feedback/record/'.length), value);
    else if (this.#path.length > 0) this.#values.set(path, value);
  }

  report(): DomainReport {
    if (!this.#isComplete) throw new ReportRefused('it is not a DMARC report, or it is truncated');
    const value = (name: string) => this.#values.get(`feedback/${name}`) ?? '';
    const begin = new Date(Number(value('report_metadata/date_range/begin') || Number.NaN) * SECOND);
    const heading = headingOf(
      value('policy_published/domain'),
      value('report_metadata/org_name'),
      value('report_metadata/report_id'),
      begin,
    );
    return { kind: 'dmarc', ...heading, sources: this.#sources.list(), keys: [...this.#keys] };
  }

  #take({ values, signatures }: ReportRecord): void {
    const value = (name: string) => values.get(name) ?? '';
    const source = value('row/source_ip');
    const count = countIn(value('row/count'));
    if (isIP(source) === 0 || count === null) return;
    const passes = (check: string) => value(`row/policy_evaluated/${check}`).toLowerCase() === 'pass';
    const isPassed = passes('dkim') || passes('spf');
    const from = domainIn(value('identifiers/header_from'));
    const named = [...signatures.map(({ domain }) => domain ?? ''), value('auth_results/spf/domain')].map(domainIn);
    this.#sources.add({
      source,
      by: named.find((domain) => domain !== null && domain !== from) ?? null,
      passed: isPassed ? count : 0,
      failed: isPassed ? 0 : count,
    });
    for (const { domain = '', selector = '', result = '' } of passes('dkim') ? signatures : [])
      if (result.toLowerCase() === 'pass' && this.#keys.size < MAX_KEYS) addKey(this.#keys, selector, domain);
  }
}

const SIGNATURE = 'feedback/record/auth_results/dkim';

/** Returns the name of an element without its namespace prefix, in lower case, because some receivers write names in capitals. */
const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();

function addKey(keys: Set<string>, selector: string, domain: string): void {
  const place = domainIn(`${selector}._domainkey.${domain}`);
  if (place !== null && selector !== '') keys.add(place);
}
