import type { Random } from '../core/random.ts';

/** A simulated contact and its behaviour. */
export interface Person {
  name: string;
  email: string;
  company: string;
  /** The end of the contact's sequence, and the step at which it comes. */
  ending: { kind: 'reply' | 'unsubscribe' | 'bounce' | 'late bounce'; step: number } | { kind: 'silence' };
  /** Sends an out-of-office auto-reply to the first email. */
  isAway: boolean;
  opens: boolean;
  clicks: boolean;
}

const FIRST_NAMES = 'Ada Ben Cleo Dario Edith Farid Greta Hugo Ines Jonas Kira Liam Mona Nils Olga Paul Quinn Rosa Samir Tess'.split(' ');
const LAST_NAMES = 'Abel Brandt Costa Diaz Eriksen Fischer Garcia Haas Ito Jensen'.split(' ');
const COMPANIES = 'Acme Globex Initech Umbra Hooli Vandelay Wonka Stark Soylent Tyrell'.split(' ');

/** Shares per thousand; the rest never responds. */
const ENDINGS: readonly { kind: 'reply' | 'unsubscribe' | 'bounce' | 'late bounce'; share: number }[] = [
  { kind: 'reply', share: 190 },
  { kind: 'unsubscribe', share: 40 },
  { kind: 'bounce', share: 15 },
  { kind: 'late bounce', share: 10 },
];
const AWAY_SHARE = 60;
const OPEN_SHARE = 600;
const CLICK_SHARE = 350;

/** Invents contacts with distinct names, at domains reserved for examples (RFC 2606 §3). */
export function inventPeople(count: number, random: Random): Person[] {
  return Array.from({ length: count }, (_, index) => invent(index, random));
}

function invent(index: number, random: Random): Person {
  const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? '';
  const last = LAST_NAMES[Math.floor(index / FIRST_NAMES.length) % LAST_NAMES.length] ?? '';
  const company = COMPANIES[random.integer(0, COMPANIES.length - 1)] ?? '';
  const domain = ['example.com', 'example.org', 'example.net'][index % 3] ?? 'example.com';
  const ending = endingOf(random);
  const isUndeliverable = ending.kind === 'bounce' || ending.kind === 'late bounce';
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}.${index + 1}@${domain}`.toLowerCase(),
    company,
    ending,
    isAway: !isUndeliverable && random.integer(1, 1_000) <= AWAY_SHARE,
    opens: !isUndeliverable && (ending.kind !== 'silence' || random.integer(1, 1_000) <= OPEN_SHARE),
    clicks: !isUndeliverable && random.integer(1, 1_000) <= CLICK_SHARE,
  };
}

function endingOf(random: Random): Person['ending'] {
  let drawn = random.integer(1, 1_000);
  for (const { kind, share } of ENDINGS) {
    drawn -= share;
    if (drawn <= 0) return { kind, step: kind === 'bounce' || kind === 'late bounce' ? 1 : random.integer(1, 3) };
  }
  return { kind: 'silence' };
}
