import { AR } from './ar.ts';
import { BG } from './bg.ts';
import { CS } from './cs.ts';
import { DA } from './da.ts';
import { DE } from './de.ts';
import { EL } from './el.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { ET } from './et.ts';
import { FI } from './fi.ts';
import { FR } from './fr.ts';
import { HE } from './he.ts';
import { HR } from './hr.ts';
import { HU } from './hu.ts';
import { IT } from './it.ts';
import type { Lexicon } from './lexicon.ts';
import { LT } from './lt.ts';
import { LV } from './lv.ts';
import { NL } from './nl.ts';
import { NO } from './no.ts';
import { PL } from './pl.ts';
import { PT } from './pt.ts';
import { RO } from './ro.ts';
import { RU } from './ru.ts';
import { SK } from './sk.ts';
import { SL } from './sl.ts';
import { SV } from './sv.ts';
import { TR } from './tr.ts';
import { UK } from './uk.ts';

/** The languages that separate words by spaces, except Korean, which east-asian.ts covers. */
export const LEXICONS: readonly Lexicon[] = [
  ...[EN, DE, NL, SV, DA, NO, FR, ES, IT, PT, RO, PL, CS, SK],
  ...[HR, SL, BG, RU, UK, FI, ET, LV, LT, HU, EL, TR, HE, AR],
];
