import { group, PhraseList } from '../phrases/phrase-table.ts';

/** Words that servers use for a recipient. */
export const WHO = new PhraseList([
  group('en', 'the servers that NO_SUCH_RECIPIENT names')`
    account
    address
    addressee
    alias
    customer
    employee
    mail[ ]box
    name
    person
    recipient
    user
    user[ ]id
  `,
]);

/** "Does not", "is not" and the like. */
export const IS_NOT = new PhraseList([
  group('en', 'the servers that NO_SUCH_RECIPIENT names')`
    can[ ]not be
    could not be
    does[ ]n['][o]t
    has never been
    is[ ]n['][o]t
    no longer
    not
    was[ ]n['][o]t
  `,
]);

/** After "not": "found", "known". */
export const THERE = new PhraseList([
  group('en', 'the servers that NO_SUCH_RECIPIENT names')`
    a[n] active
    active
    any longer
    exist[s]
    existing
    found
    have
    here
    in use
    known
    listed
    located
    on server
    present
    recogni(s|z)ed
    registered
    valid
  `,
]);

/** "Unknown" and the like, before the recipient. */
export const GONE = new PhraseList([
  group('en', 'the servers that NO_SUCH_RECIPIENT names')`
    bad destination
    deactivated
    deleted
    disabled
    expired
    illegal
    inactive
    incorrect
    invalid
    no such
    non[-]existent
    obsolete
    undeliverable
    unknown
    unrouteable
    unverified
  `,
]);

/** Before the recipient: "unknown local user". */
export const KIND = new PhraseList([
  group('en', 'the servers that NO_SUCH_RECIPIENT names')`
    delivery
    e[-]mail
    final
    local
    mail
    virtual
  `,
]);
