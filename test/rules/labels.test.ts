import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The cases of an audit of the rules, and where each is a test: its label, the rule that it is about, the file and words of the name of a test
 * there. The cases themselves lie beside the checkout, if anywhere.
 */
const CASES = join(import.meta.dirname, '../../../shared/cases/rules');

type Case = [labels: string, rule: string, file: string, words: string];

const COVERED: Case[] = [
  ['A1', 'what comes back from a copy concerns that address alone', 'sending/copies.db', 'uses List-Unsubscribe from an alias'],
  [
    'A2',
    'what comes back from a copy concerns that address alone',
    'sending/copies.db',
    'a bounce names the address to which it was forwarded',
  ],
  ['A3', 'one address has one key', 'sending/copies.db', 'a domain in another spelling is the same address'],
  ['A4', 'nothing of the contact changes', 'sending/copies.db', 'answers and automatic answers, from the address that got it or any other'],
  ['A5', 'nothing of the contact changes', 'sending/copies.db', 'soft bounces of copies are none of the contact'],
  ['A6', 'three in a row are three emails, not three reports', 'inbound/soft-bounces.db', 'it.each'],
  ['A7', 'a report that names nobody is nobody’s', 'sending/copies.db', 'a report that names nobody is nobody’s'],
  ['B1', 'an opt-out of one holds for all of them', 'contacts/one-mailbox.db', '%s opted out: %s is never emailed'],
  ['B2 V2', 'unique by key', 'contacts/one-mailbox.db', '%s is a contact: %s is the same one'],
  ['B3', 'one address has one key', 'e2e/who-is-who.e2e', 'nobody else is taken for them'],
  ['B4', 'a local part outside ASCII', 'mail/smtp-misbehaviour', '%s needs SMTPUTF8'],
  ['B5', 'a tag is its base address', 'inbound/writers.db', 'any person’s answer in the thread ends that enrolment'],
  [
    'B6',
    'company limits go by the key of the domain',
    'core/address-keys.db',
    'the database and the program make the same keys of any address',
  ],
  [
    'B7',
    'a suffix of many organisations is no company',
    'contacts/suppressed-domains.db',
    'is refused: it has the domains of many organisations',
  ],
  ['C2', 'the mailed person, by names after folding', 'inbound/same-person', 'one name in common after folding'],
  ['C3', 'an absence holds the person', 'life/enrolments.db', 'is what the rules say after every move'],
  ['C4', 'a reply ends that enrolment', 'inbound/poll.db', 'by In-Reply-To to our Message-ID: replied'],
  ['C5', 'an absence holds 30 days at most', 'inbound/absence', 'an absence holds an enrolment'],
  ['C6', 'events carry the last step sent', 'inbound/poll.db', 'with the event at the last step sent'],
  ['C7', 'a late bounce changes no reply', 'inbound/transitions.db', 'bounce comes later: unchanged, and the event is recorded'],
  ['C8', 'delays change nothing', 'inbound/poll.db', 'delayed or delivered: no state change'],
  [
    'C9 V5 V6',
    'a message that reaches two of our mailboxes is one',
    'inbound/one-message.db',
    'a reply to all that reaches two mailboxes is one reply',
  ],
  ['D1', 'every way into completed fires finished', 'campaigns/features-met.db', 'Every way into completed fires finished'],
  ['D2 D2b', 'a contact is in one subsequence at a time', 'campaigns/features-met.db', 'a contact is in one subsequence at a time'],
  ['D3 H4 V4', 'steps have an identity', 'reports', 'step'],
  ['D4 H3', 'hours of B are meaningful only while the test is on', 'campaigns/next-send', 'a test that is off has one window'],
  ['D5', 'resumed at the next undone step', 'inbound/transitions.db', 'active at the next undone step'],
  ['D6 H5', 'the permit compares the address', 'campaigns/emailed-before.db', 'an address that is changed while an email is claimed'],
  ['D7', 'Re: is not doubled', 'sending/sequences.db', 'Re: the subject as it was sent'],
  ['D8', 'a zone that is changed counts for the next email', 'sending/zones.db', 'counts for the next mail'],
  ['F1', 'links are rewritten, and nothing else', 'tracking/links', 'http and https targets are exchanged'],
  ['H2', 'those in a sequence are told of', 'campaigns/features-met.db', '(H2, Q3)'],
  ['H6', 'a zone change doesn’t give a second day', 'campaigns/features-met.db', 'a zone change doesn'],
  ['H7', 'a changed text applies to the next emails', 'sending/sequences.db', 'a changed text applies to the next emails'],
  ['H8', 'a bounce is of whoever sends the email', 'campaigns/features-met.db', 'of whoever sends the email, after a move, too'],
  ['H9', 'suppressed addresses are never emailed', 'campaigns/contact-lifecycle.db', 'one that was there already keeps its first reason'],
  ['I10', 'a writer who is a contact has answered, too', 'inbound/writers.db', 'their answer ends their own enrolment'],
  ['I11 I11b', 'both addresses are suppressed', 'e2e/who-is-who.e2e', 'nobody else is taken for them'],
  ['I2 Z2', 'an invitation in the thread is an answer', 'inbound/answered-email.db', 'is the best reply there is'],
  ['I3', 'receipts are no people', 'mail/classify/notices-without-marks', 'a receipt counts whatever the subject'],
  ['I4', 'several people read a shared mailbox', 'inbound/writers.db', 'several people read that address'],
  ['I5', 'our own words are not theirs', 'inbound/answered-email.db', 'our own footer, quoted, is read as their opt-out'],
  ['N R61', 'fields are cleaned and checked', 'api/limits.db', 'email: 254 characters, the part before the @ 64'],
  ['O', 'the text alternative', 'mail/compose', 'the text alternative'],
  ['P R60', 'names and subjects in headers', 'mail/compose', 'is refused, never repaired'],
  ['Q1 Q2', 'provider match after an edit', 'campaigns/provider-match.db', 'provider match after an edit'],
  ['Q3', 'as if it had been removed from the group', 'campaigns/features-met.db', 'is as if it had been removed from the group'],
  ['R26', 'letters outside ASCII in lower case', 'core/address-keys.db', 'an address has one key'],
  ['R44', 'a comment has no end of the body', 'sending/footer.db', 'a comment has no end of the body, and no way out'],
  ['R50 R55', 'domains of mailbox providers by full domain', 'contacts/public-domain', 'is the domain of a mailbox provider'],
  [
    'R62',
    'an address that a campaign emailed is not emailed by it again',
    'campaigns/emailed-before.db',
    'a contact who is deleted and made again',
  ],
  ['R63', 'archiving stops', 'campaigns/contact-lifecycle.db', 'archiving stops its active enrolments'],
  ['S', 'by HEAD or prefetch', 'tracking/links', 'by HEAD or prefetch'],
  ['T1 T7', 'what an email promised stays promised', 'inbound/promised.db', 'is read, and its answers take effect, for 180 days'],
  ['T8', 'no follow-up before it was read', 'inbound/promised.db', 'no follow-up crosses an answer in it'],
  ['V1', 'ramp-up by days on which it sent', 'campaigns/features-met.db', 'a pause does not warm a mailbox up'],
  ['V3', 'suppressed contacts do not fill the quota', 'campaigns/features-met.db', 'quota of A/B'],
  ['W3', 'a request does all that a reply does', 'inbound/writers.db', 'stop_company: "%s"'],
  ['W8', 'those made before the end of the absence', 'life/enrolments.db', 'is what the rules say after every move'],
  ['W18', 'after a hold the next step waits', 'inbound/transitions.db', 'held to one business day after the return date'],
  [
    'W19',
    'the thread of a replaced address',
    'campaigns/emailed-before.db',
    'after the address was replaced, it opens a thread of its own',
  ],
  ['W20', 'answers to an archived campaign take effect', 'inbound/promised.db', 'is read, and its answers take effect, for 180 days'],
  ['W21', 'a complaint suppresses', 'inbound/poll.db', 'a complaint that the provider passes on'],
  ['W22', 'the token in the subject', 'inbound/matching.db', 'the token in the subject of List-Unsubscribe'],
  ['W30', 'a request in a long letter', 'mail/opt-outs/opt-outs', 'finds 95 of 100 of the requests'],
  ['X1', 'the way out names the mailbox that is read', 'inbound/promised.db', 'the way out names the mailbox that is read'],
  ['X2', 'copies count in the limit of a minute', 'sending/minute-limit.db', 'counts copies, as providers do'],
  ['Y1', 'who joins a list is enrolled once', 'campaigns/joining.db', 'never enrols a suppressed address'],
  ['Y5', 'limits hold for a group', 'sending/day-limits.db', 'holds for a rotation group'],
  ['Y11', 'a resume causes no burst', 'sending/sequences.db', 'a resume causes no burst'],
  ['Y13', 'an unknown placeholder holds that email', 'sending/faults.db', 'is held with the reason if it has an unknown placeholder'],
  ['Y15', 'the link of a former address suppresses both', 'tracking/unsubscribe.db', 'suppresses the emailed address and the present one'],
  ['Y17', 'the same batches at once', 'api/endpoints/contact-batches.db', 'two batches with the same addresses at once'],
  ['Y22', 'a wrong clock sends nothing', 'sending/wrong-clock.db', 'a daemon whose clock is wrong sends nothing'],
  ['Y25', 'totals are those of the log', 'events/numbers.db', 'is what the bare log counts'],
  ['Y26', 'strange messages are read', 'mail/classify/fuzz', 'it('],
  ['Z1', 'a strong proof outweighs the flag of a filter', 'mail/classify/explain', 'takes the sign of spam away'],
  ['Z3', 'a person behind a ticket system', 'mail/classify/automatic-or-human', 'written by a person'],
];

const files = globSync('test/**/*.test.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const labelsOf = (text: string) => [...text.matchAll(/\bit\(\s*[`'"]([A-Z]\d*[a-z]?)[ /-]/g)].map(([, label = '']) => label);

describe('the cases of the audit', () => {
  it.each(COVERED)('%s: "%s" is a test in %s', (_, __, file, words) => {
    const named = files.filter((one) => one.file.startsWith(`test/${file}`));
    expect(named.some(({ text }) => text.includes(words))).toBe(true);
  });

  it.skipIf(!existsSync(CASES))(existsSync(CASES) ? 'all have a test' : 'all have a test: no cases beside the checkout', () => {
    const labels = globSync(`${CASES}/*.test.ts`).flatMap((file) => labelsOf(readFileSync(file, 'utf8')));
    expect(labels.length).toBeGreaterThan(80);
    const known = new Set(COVERED.flatMap(([names]) => names.split(' ')));
    expect([...new Set(labels)].filter((label) => !known.has(label))).toEqual([]);
  });
});
