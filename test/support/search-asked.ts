import fc from 'fast-check';
import { DAY, HOUR, SECOND } from '../../src/core/clock.ts';
import { seesCampaign, type Test, type Value, type View } from './search-reference.ts';
import { DOMAINS, EVENT_TYPES, type Person, STATUSES, type World } from './search-world.ts';

/** A field and the terms that can be searched for in it. */
export interface Asked {
  field: string;
  value: fc.Arbitrary<Value>;
  hasAny: Test;
}

const FRAGMENTS = [
  'ada',
  'LOVE',
  'müller',
  'Acme',
  '%',
  '_',
  '\\',
  '.com',
  '(x)',
  'É',
  'a',
  'none',
  'true',
  '"',
  'a..b',
  '100%',
  'nobody',
  ',',
  'strauß',
  'SS',
  'ΦΟΣ',
  'σίσυφος',
];
const bareFits = (text: string) => /^[\p{L}\p{N}%_\\.]+$/u.test(text) && !text.includes('..') && !/^(none|any|me)$/i.test(text);
const shown = (text: string, quote: boolean) => (quote || !bareFits(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text);
const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** Text without case, in which ς is σ and ß is ss. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ').replaceAll('ß', 'ss');

/** Text terms in any form: a substring, `=whole`, `start*`, `*end`. */
const textForms = (pool: readonly string[], wholly = false) =>
  fc
    .record({ text: fc.constantFrom(...pool), form: fc.constantFrom('plain', '=', 'x*', '*x', '*x*'), quote: fc.boolean() })
    .map(({ text, form, quote }): { text: string; fits: (stored: string) => boolean } => {
      const wanted = folded(text);
      if (form === 'x*' && bareFits(text)) return { text: `${text}*`, fits: (stored) => folded(stored).startsWith(wanted) };
      if (form === '*x' && bareFits(text)) return { text: `*${text}`, fits: (stored) => folded(stored).endsWith(wanted) };
      if (form === '*x*' && bareFits(text)) return { text: `*${text}*`, fits: (stored) => folded(stored).includes(wanted) };
      const plain = shown(text, quote);
      if (form === '=') return { text: `=${plain}`, fits: (stored) => folded(stored) === wanted };
      return { text: plain, fits: (stored) => (wholly ? folded(stored) === wanted : folded(stored).includes(wanted)) };
    });

const OPERATORS = ['', '=', '>', '>=', '<', '<='] as const;

/** Number terms with any comparison. */
const numberForms = (pool: readonly number[]) =>
  fc
    .record({ operator: fc.constantFrom(...OPERATORS, '..'), a: fc.constantFrom(...pool), b: fc.constantFrom(...pool, '*' as const) })
    .map(({ operator, a, b }): { text: string; fits: (stored: number) => boolean } => {
      const end = b === '*' ? Number.POSITIVE_INFINITY : Math.max(a, b);
      const from = b === '*' ? a : Math.min(a, b);
      if (operator === '..') return { text: `${from}..${b === '*' ? '*' : end}`, fits: (stored) => stored >= from && stored <= end };
      const tests = { '': 0, '=': 0, '>': 1, '>=': 2, '<': 3, '<=': 4 } as const;
      const fits = [(x: number) => x === a, (x: number) => x > a, (x: number) => x >= a, (x: number) => x < a, (x: number) => x <= a];
      return { text: `${operator}${a}`, fits: fits[tests[operator]] ?? (() => false) };
    });

/** Date terms in any form and comparison, around the events of the world. */
function dateForms(now: number) {
  const moment = fc
    .record({ ago: fc.integer({ min: 0, max: 42 * 24 }), form: fc.constantFrom('day', 'instant', 'age', 'word') })
    .map(({ ago, form }) => {
      const at = now - ago * HOUR;
      const midnight = Math.floor(at / DAY) * DAY;
      if (form === 'instant')
        return { text: new Date(at).toISOString().replace('.000Z', ago % 2 ? 'Z' : '+00:00'), from: at, to: at + SECOND };
      if (form === 'age')
        return { text: `${Math.floor(ago / 24)}d`, from: now - Math.floor(ago / 24) * DAY, to: now - Math.floor(ago / 24) * DAY + 1 };
      if (form === 'word' && ago < 48) {
        const today = Math.floor(now / DAY) * DAY - (ago < 24 ? 0 : DAY);
        return { text: ago < 24 ? 'today' : 'YESTERDAY', from: today, to: today + DAY };
      }
      return { text: day(at), from: midnight, to: midnight + DAY };
    });
  return fc.record({ operator: fc.constantFrom(...OPERATORS, '..', '..*'), a: moment, b: moment }).map(({ operator, a, b }) => {
    const midnight = Math.floor(a.from / DAY) * DAY;
    const within = (text: string, from: number, to: number) => ({ text, from, to });
    if (operator === '..*') return within(`${a.text}..*`, a.from, Number.POSITIVE_INFINITY);
    const [first, last] = a.from < b.to ? [a, b] : [b, a];
    if (operator === '..') return within(`${first.text}..${last.text}`, first.from, last.to);
    if (operator === '') return within(a.text, midnight, midnight + DAY);
    if (operator === '=') return within(`=${a.text}`, a.from, a.to);
    if (operator === '>') return within(`>${a.text}`, a.to, Number.POSITIVE_INFINITY);
    if (operator === '>=') return within(`>=${a.text}`, a.from, Number.POSITIVE_INFINITY);
    return within(`${operator}${a.text}`, Number.NEGATIVE_INFINITY, operator === '<' ? a.from : a.to);
  });
}

export const person = (text: string, test: Test): Value => ({ kind: 'person', text, test });
const booleanValue = (test: Test) =>
  fc.constantFrom('true', 'false', 'YES', 'no').map((text) => person(text, (who, view) => test(who, view) === /true|yes/i.test(text)));

const textOf = (field: string, pool: readonly string[], read: (who: Person) => string): Asked => ({
  field,
  value: textForms(pool).map(({ text, fits }) => person(text, (who) => fits(read(who)))),
  hasAny: (who) => read(who) !== '',
});

/** Returns a stored number, day or instant as its field parses it; NaN if it can't. */
const numberIn = (text = '') => (/^-?\d+(\.\d+)?(e\d+)?$/.test(text) ? Number(text) : Number.NaN);
const dayIn = (text = '') => (/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && day(Date.parse(text)) === text ? Date.parse(text) : Number.NaN);
const instantIn = (text = '') =>
  Number.isNaN(dayIn(text.slice(0, 10))) || text.endsWith('+23:00') ? Number.NaN : Date.parse(text.toUpperCase());

/** Returns every field of the language except `next_send`, with terms for this world. */
export function askedOf(world: World): Asked[] {
  const dates = dateForms(world.now);
  const at = (read: (who: Person, view: View) => readonly number[]) =>
    dates.map(({ text, from, to }) => person(text, (who, view) => read(who, view).some((instant) => instant >= from && instant < to)));
  const dated = (field: string, read: (who: Person, view: View) => readonly number[]): Asked => ({
    field,
    value: at(read),
    hasAny: (who, view) => read(who, view).length > 0,
  });
  const custom = (key: string, value: fc.Arbitrary<Value>): Asked => ({
    field: key,
    value,
    hasAny: (who) => (who.custom[key] ?? '') !== '',
  });
  const eventsOf = (who: Person, view: View, type: string) =>
    who.events.filter((event) => event.type === type && seesCampaign(event.campaign, view)).map((event) => event.at);
  const callsOf = (who: Person, view: View) => who.calls.filter(({ campaign }) => seesCampaign(campaign, view)).map((call) => call.at);
  const last = (instants: number[]) => (instants.length === 0 ? [] : [Math.max(...instants)]);
  const listsOf = (who: Person) => who.lists.filter(({ isDeleted }) => !isDeleted);
  const listNames = [...world.lists.map(({ name }) => name.toLowerCase()), 'spring', 'nothing'];
  const ids = [...world.lists.map(({ id }) => id), 999];
  const campaignNames = [...world.campaigns.map(({ name }) => name), 'launch'];
  const campaignIds = world.campaigns.map(({ id }) => id);
  const always = () => true;
  const ofEvent = (type: (typeof EVENT_TYPES)[number]): Asked => {
    const instants = (who: Person, view: View) => eventsOf(who, view, type);
    const happened: Test = (who, view) => instants(who, view).length > 0;
    return { field: type, value: fc.oneof(booleanValue(happened), at(instants)), hasAny: happened };
  };
  const enrolment = (field: string, value: fc.Arbitrary<Value>): Asked => ({ field, value, hasAny: always });
  return [
    {
      field: '',
      value: textForms(FRAGMENTS.filter((text) => !text.includes(',')))
        .filter(({ text }) => !text.startsWith('='))
        .map(({ text, fits }) => person(text, (who) => [who.name, who.email, who.company ?? ''].some(fits))),
      hasAny: always,
    },
    {
      field: 'id',
      value: numberForms(world.people.slice(0, 9).map(({ id }) => id * 3)).map(({ text, fits }) => person(text, (who) => fits(who.id))),
      hasAny: always,
    },
    textOf('name', FRAGMENTS, ({ name }) => name),
    textOf('EMAIL', FRAGMENTS, ({ email }) => email),
    textOf('company', FRAGMENTS, ({ company }) => company ?? ''),
    {
      field: 'domain',
      value: textForms([...DOMAINS, 'acme', '.com'], true).map(({ text, fits }) =>
        person(text, (who) => fits(who.email.split('@')[1] ?? '')),
      ),
      hasAny: always,
    },
    {
      field: 'list',
      value: textForms(listNames, true).map(({ text, fits }) => person(text, (who) => listsOf(who).some(({ name }) => fits(name)))),
      hasAny: (who) => listsOf(who).length > 0,
    },
    {
      field: 'list_id',
      value: numberForms(ids).map(({ text, fits }) => person(text, (who) => listsOf(who).some(({ id }) => fits(id)))),
      hasAny: (who) => listsOf(who).length > 0,
    },
    { field: 'suppressed', value: booleanValue(({ isSuppressed }) => isSuppressed), hasAny: always },
    {
      field: 'archived',
      value: fc.oneof(
        booleanValue(({ isArchived }) => isArchived),
        fc.constant(person('Any', always)),
      ),
      hasAny: always,
    },
    { field: 'shared', value: booleanValue(({ isShared }) => isShared), hasAny: always },
    {
      field: 'owner',
      value: fc.oneof(
        fc.constant(person('me', (who, { caller }) => who.createdBy === caller.userId)),
        textForms(world.users.map(({ email }) => email)).map(({ text, fits }) =>
          person(text, (who) => fits(world.users.find(({ id }) => id === who.createdBy)?.email ?? '')),
        ),
      ),
      hasAny: always,
    },
    dated('created', ({ created }) => [created]),
    dated('updated', ({ updated }) => [updated]),
    ...EVENT_TYPES.map(ofEvent),
    dated('contacted', (who, view) => [...eventsOf(who, view, 'sent'), ...callsOf(who, view)]),
    dated('last_sent', (who, view) => last(eventsOf(who, view, 'sent'))),
    dated('last_replied', (who, view) => last(eventsOf(who, view, 'replied'))),
    enrolment(
      'campaign',
      textForms(campaignNames, true).map(({ text, fits }) => ({ kind: 'enrolment', text, test: ({ campaign }) => fits(campaign.name) })),
    ),
    enrolment(
      'campaign_id',
      numberForms(campaignIds).map(({ text, fits }) => ({ kind: 'enrolment', text, test: ({ campaign }) => fits(campaign.id) })),
    ),
    enrolment(
      'status',
      fc.constantFrom(...STATUSES).map((text) => ({ kind: 'enrolment', text, test: ({ status }) => status === text })),
    ),
    enrolment(
      'step',
      numberForms([1, 2, 3]).map(({ text, fits }) => ({ kind: 'enrolment', text, test: ({ step }) => fits(step) })),
    ),
    custom(
      'industry',
      textForms(['soft', 'Retail', 'none', 'software, ']).map(({ text, fits }) => person(text, (who) => fits(who.custom.industry ?? ''))),
    ),
    custom(
      'employees',
      numberForms([5, -3, 12.5, 1000, 0]).map(({ text, fits }) => person(text, (who) => fits(numberIn(who.custom.employees)))),
    ),
    custom(
      'renewal',
      at(({ custom: { renewal } }) => [dayIn(renewal)]),
    ),
    custom(
      'seen',
      at(({ custom: { seen } }) => [instantIn(seen)]),
    ),
    custom(
      'vip',
      fc.constantFrom('true', 'no').map((text) => person(text, (who) => who.custom.vip === (text === 'true' ? 'true' : 'false'))),
    ),
  ];
}
