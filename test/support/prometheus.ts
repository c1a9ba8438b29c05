interface Family {
  name: string;
  type: string;
  help: string;
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Exposition {
  families: Family[];
  samples: Sample[];
  /** The value of the one sample of that name with at least those labels. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

/**
 * Reads Prometheus' text format 0.0.4 as `promtool check metrics` does. Throws for what it would refuse: an invalid line, a sample before
 * its TYPE or outside of its family, a duplicate family or series, buckets that decrease or lack +Inf.
 */
export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  const samples: Sample[] = [];
  const series = new Set<string>();
  let current: Family | undefined;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`family ${name} comes twice`);
      current = { name, type: 'untyped', help: rest };
      families.set(name, current);
    } else if (kind === 'TYPE') {
      if (current?.name !== name || !/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`misplaced: ${line}`);
      current.type = rest;
    } else {
      const sample = sampleOf(line);
      const base =
        current?.type === 'histogram' || current?.type === 'summary' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name;
      if (base !== current?.name) throw new Error(`outside of its family: ${line}`);
      const key = sample.name + JSON.stringify(Object.entries(sample.labels).sort());
      if (series.has(key)) throw new Error(`twice: ${line}`);
      series.add(key);
      samples.push(sample);
    }
  }
  checkBuckets(samples);
  const has = (sample: Sample, labels: Record<string, string>) =>
    Object.entries(labels).every(([name, value]) => sample.labels[name] === value);
  return {
    families: [...families.values()],
    samples,
    value: (name, labels = {}) => samples.find((sample) => sample.name === name && has(sample, labels))?.value,
  };
}

function sampleOf(line: string): Sample {
  const [, name, written = '', number = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  for (const [whole, label = '', value = ''] of written.matchAll(LABEL)) {
    if (label in labels) throw new Error(`label twice: ${line}`);
    labels[label] = value;
    end += whole.length;
  }
  if (end !== written.length) throw new Error(`malformed labels: ${line}`);
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : number === 'Nan' ? Number.NaN : Number(number);
  if (Number.isNaN(value) && number !== 'Nan') throw new Error(`no number: ${line}`);
  return { name, labels, value };
}

function checkBuckets(samples: readonly Sample[]): void {
  const last = new Map<string, Sample>();
  for (const sample of samples.filter(({ name }) => name.endsWith('_bucket'))) {
    const { le, ...others } = sample.labels;
    const key = sample.name + JSON.stringify(Object.entries(others).sort());
    const before = last.get(key);
    if (before !== undefined && (before.value > sample.value || Number(before.labels.le) >= Number(le?.replace('+Inf', 'Infinity'))))
      throw new Error(`bucket ${le} of ${key} is smaller than the one before`);
    last.set(key, sample);
  }
  for (const [key, { labels }] of last) if (labels.le !== '+Inf') throw new Error(`${key} has no bucket +Inf`);
}
