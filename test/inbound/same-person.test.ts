import { describe, expect, it } from 'vitest';
import { sameAs } from '../../src/inbound/same-person.ts';
import { isSharedMailbox } from '../../src/inbound/shared-mailbox.ts';

/** D2.3: the author writes from another address of the emailed domain. */

const JUERGEN = { name: 'Jürgen Müller', address: 'j.mueller@corp.example' };
const author = (name: string, address = 'jm77@corp.example') => ({ name, address });

describe('one name in common after folding', () => {
  it.each([
    'Jürgen Müller',
    'Müller, Jürgen',
    'Dr. Jürgen Müller',
    'Prof. Dr. med. J. Müller',
    'Jürgen Müller | Corp GmbH',
    'Jürgen Müller (Corp GmbH)',
    'Jürgen Müller - Corp',
    'Juergen Mueller',
    'JURGEN MULLER',
    'Jürgen',
  ])('%s is Jürgen Müller', (name) => expect(sameAs(author(name), JUERGEN)).toMatch(/a name in common|made from the contact/));

  it.each([
    ['only a first name is stored', 'Jürgen', 'Müller, Jürgen'],
    ['ß and ss', 'Ute Weiß', 'Ute Weiss'],
    ['marks', 'Zoë Novák', 'Novak'],
    ['other scripts', 'Иван Петров', 'Петров Иван'],
  ])('%s', (_, stored, written) =>
    expect(sameAs(author(written, 'x1@corp.example'), { name: stored, address: 'a@corp.example' })).not.toBeNull());
});

it.each(['juergen.mueller', 'mueller', 'jmueller', 'muellerj', 'mueller.j', 'juergen2', 'jm'])('%s is made of parts of the name', (local) =>
  expect(sameAs(author('', `${local}@corp.example`), JUERGEN)).not.toBeNull());

it('with no name stored, whoever of the domain answers is the person', () =>
  expect(sameAs(author('Charles Babbage', 'charles@corp.example'), { ...JUERGEN, name: '' })).not.toBeNull());

it.each([
  ['another name', 'Charles Babbage', 'charles@corp.example'],
  ['titles and particles are no names', 'Dr. Anna van der Berg', 'anna.berg@corp.example'],
  ['the company after a bar', 'Charles | Müller GmbH', 'charles@corp.example'],
  ['the company after a comma', 'Charles Babbage, Müller GmbH', 'charles@corp.example'],
  ['one letter', 'J', 'x.y@corp.example'],
])('somebody else: %s', (_, name, address) => expect(sameAs({ name, address }, { ...JUERGEN, name: 'Dr. Jürgen von Müller' })).toBeNull());

it('whoever answers for an address that several people read is the person', () => {
  for (const local of [
    'biuro',
    'kancelaria',
    'praxis',
    'reception',
    'bookings',
    'customerservice',
    'accueil',
    'segreteria',
    'iroda',
    'info-de',
  ])
    expect(isSharedMailbox(`${local}@firma.example`)).toBe(true);
  expect(sameAs(author('Jan', 'jan@firma.example'), { name: 'Firma', address: 'biuro@firma.example' })).toBe(
    'several people read the emailed address',
  );
  expect(isSharedMailbox('salomon@firma.example')).toBe(false);
});
