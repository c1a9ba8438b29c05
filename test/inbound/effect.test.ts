import { describe, expect, it } from 'vitest';
import { type Effect, effectOf, type Facts } from '../../src/inbound/effect.ts';
import { PROOFS } from '../../src/inbound/evidence.ts';
import { WRITERS } from '../../src/inbound/writer.ts';
import { VERDICTS } from '../../src/mail/classify/index.ts';

/** The table of docs/what-a-message-proves.md, cell by cell. */

const facts: Facts = {
  ...{ verdict: 'reply', cause: null, isComplaint: false, hasLeft: false, proof: 'id', writer: 'contact' },
  ...{ isFormerAddress: false, isTracked: true, whenColleagueReplies: 'stop' },
};
const NO_EFFECT: Effect = { enrolment: 'kept', suppression: 'nowhere', events: [], isCounted: false, pauses: null, author: null };
const ANSWERED: Partial<Effect> = { author: ['replied'] };
const REMOVED: Partial<Effect> = { author: ['replied', 'unsubscribed'] };
const REPLIED: Effect = { ...NO_EFFECT, ...ANSWERED, enrolment: 'replied', events: ['replied'], isReply: true };
const effect = (of: Partial<Facts>) => effectOf({ ...facts, ...of });

describe('who answers (C1.3, D2)', () => {
  it.each(
    VERDICTS.filter((verdict) => !['hard_bounce', 'soft_bounce', 'feedback_report', 'delay'].includes(verdict)),
  )('our own side never answers for the contact: %s', (verdict) => {
    for (const proof of PROOFS) expect(effect({ verdict, proof, writer: 'us' })).toEqual(NO_EFFECT);
  });

  it.each(
    WRITERS,
  )('D2.4: a reply of %s: any person’s answer in the thread ends the enrolment as replied, whoever of the other side wrote it', (writer) => {
    const effects = {
      contact: REPLIED,
      colleague: REPLIED,
      stranger: REPLIED,
      copied: { ...NO_EFFECT, ...ANSWERED },
      us: NO_EFFECT,
      machine: NO_EFFECT,
    };
    expect(effect({ writer })).toEqual(effects[writer]);
  });

  it('D2.4: with when_colleague_replies: continue, an ordinary answer of a colleague changes nothing; it ends what they are enrolled in themselves', () => {
    const whenColleagueReplies = 'continue';
    expect(effect({ writer: 'colleague', whenColleagueReplies })).toEqual({ ...NO_EFFECT, ...ANSWERED });
    for (const writer of ['contact', 'stranger'] as const) expect(effect({ writer, whenColleagueReplies })).toEqual(REPLIED);
    const removal = { verdict: 'unsubscribe_request', writer: 'colleague' } as const;
    expect(effect({ ...removal, whenColleagueReplies })).toEqual(effect(removal));
  });

  it.each([
    'contact',
    'stranger',
    'colleague',
  ] as const)('D2.6: a removal request of the %s does all that a reply does, stops, and suppresses the emailed address', (writer) => {
    const stopped = {
      ...NO_EFFECT,
      ...REMOVED,
      enrolment: 'stopped',
      suppression: 'installation',
      events: ['replied', 'unsubscribed'],
      isReply: true,
    };
    for (const proof of ['id', 'sender'] as const) expect(effect({ verdict: 'unsubscribe_request', writer, proof })).toEqual(stopped);
  });

  it('the token of List-Unsubscribe is a button, as the link is: an opt-out, and no reply (U-1, U-9)', () => {
    const stopped = { ...NO_EFFECT, enrolment: 'stopped', suppression: 'installation', events: ['unsubscribed'] };
    expect(effect({ verdict: 'unsubscribe_request', proof: 'token' })).toEqual(stopped);
  });

  it.each(WRITERS)('an automatic reply of %s answers nothing; the contact’s own holds the enrolment', (writer) => {
    const isOwn = writer === 'contact' || writer === 'stranger';
    expect(effect({ verdict: 'auto_reply', writer })).toEqual(isOwn ? { ...NO_EFFECT, enrolment: 'held' } : NO_EFFECT);
  });

  it('C1.14: a notice that the contact has left the company stops the enrolment and suppresses nothing', () => {
    const left: Effect = { ...NO_EFFECT, enrolment: 'left' };
    expect(effect({ verdict: 'auto_reply', hasLeft: true })).toEqual(left);
    expect(effect({ verdict: 'reply', writer: 'colleague', hasLeft: true })).toEqual({ ...left, ...ANSWERED });
    // The colleague's own departure, the words of an unknown third party, the contact's former employer.
    expect(effect({ verdict: 'auto_reply', writer: 'colleague', hasLeft: true })).toEqual(NO_EFFECT);
    expect(effect({ verdict: 'auto_reply', writer: 'stranger', hasLeft: true })).toEqual({ ...NO_EFFECT, enrolment: 'held' });
    expect(effect({ verdict: 'auto_reply', hasLeft: true, isFormerAddress: true })).toEqual(NO_EFFECT);
    expect(effect({ verdict: 'reply', writer: 'colleague', hasLeft: true, isFormerAddress: true })).toEqual(REPLIED);
  });

  it('a message about a copy changes nothing for the contact: who asks for it, or does not exist, gets no more copies', () => {
    const stopped = (suppression: Effect['suppression']) => ({ ...NO_EFFECT, suppression });
    const of: Partial<Record<string, Partial<Effect>>> = { reply: ANSWERED, unsubscribe_request: REMOVED };
    for (const verdict of VERDICTS) {
      const ends = verdict === 'unsubscribe_request' || verdict === 'hard_bounce' || verdict === 'feedback_report';
      const about = { verdict, writer: 'copied', isComplaint: verdict === 'feedback_report', hasLeft: true, cause: 'limit' } as const;
      expect(effect(about)).toEqual({ ...(ends ? stopped('installation') : NO_EFFECT), ...of[verdict] });
      expect(effect({ ...about, proof: 'recipient' })).toEqual({ ...(ends ? stopped('workspace') : NO_EFFECT), ...of[verdict] });
    }
  });

  it.each(['other', 'delay'] as const)('%s changes nothing', (verdict) => {
    for (const writer of WRITERS) expect(effect({ verdict, writer })).toEqual(NO_EFFECT);
  });
});

describe('bounces and complaints, by their proof (C1.4)', () => {
  const isProved = (proof: Facts['proof']) => proof !== 'recipient';

  it.each(PROOFS)('a hard bounce by %s', (proof) => {
    const suppression = isProved(proof) ? 'installation' : 'workspace';
    const expected = { ...NO_EFFECT, enrolment: 'bounced', suppression, events: ['bounced'], isCounted: isProved(proof) };
    expect(effect({ verdict: 'hard_bounce', writer: 'machine', proof })).toEqual(expected);
  });

  it.each(PROOFS)('a complaint by %s', (proof) => {
    const suppression = isProved(proof) ? 'installation' : 'workspace';
    const expected = { ...NO_EFFECT, enrolment: 'stopped', suppression, events: ['unsubscribed'] };
    expect(effect({ verdict: 'feedback_report', isComplaint: true, writer: 'machine', proof })).toEqual(expected);
    expect(effect({ verdict: 'feedback_report', isComplaint: false, writer: 'machine', proof })).toEqual(NO_EFFECT);
  });

  it.each(PROOFS)('a soft bounce by %s: the third in a row bounces, and nothing is suppressed', (proof) => {
    const expected = { ...NO_EFFECT, enrolment: 'bounced_third', events: ['bounced'], isCounted: isProved(proof) };
    expect(effect({ verdict: 'soft_bounce', cause: 'soft', writer: 'machine', proof })).toEqual(expected);
  });

  it.each([
    ['block', null],
    ['message', null],
    ['limit', 'provider_limit'],
    ['account', 'provider_error'],
  ] as const)('a bounce that blames us, %s: failed; the account is paused only where the notice is proved', (cause, pauses) => {
    const expected = { ...NO_EFFECT, enrolment: 'stopped_third', events: ['failed'], pauses };
    const counted = cause === 'block' ? { isUnwanted: true } : {};
    expect(effect({ verdict: 'soft_bounce', cause, writer: 'machine' })).toEqual({ ...expected, ...counted });
    expect(effect({ verdict: 'soft_bounce', cause, writer: 'machine', proof: 'recipient' })).toEqual({ ...expected, pauses: null });
  });
});

describe('after the contact’s address was changed (C1.2)', () => {
  it('a bounce of the former address suppresses that one and leaves the enrolment alone', () => {
    const hard = effect({ verdict: 'hard_bounce', writer: 'machine', isFormerAddress: true });
    expect(hard).toEqual({ ...NO_EFFECT, suppression: 'installation', events: ['bounced'], isCounted: true });
    expect(effect({ verdict: 'soft_bounce', cause: 'soft', writer: 'machine', isFormerAddress: true })).toEqual(NO_EFFECT);
  });

  it('an absence at the former address holds nobody; a reply and a removal request count as ever', () => {
    expect(effect({ verdict: 'auto_reply', isFormerAddress: true })).toEqual(NO_EFFECT);
    expect(effect({ isFormerAddress: true })).toEqual(effect({}));
    expect(effect({ verdict: 'unsubscribe_request', isFormerAddress: true })).toEqual(effect({ verdict: 'unsubscribe_request' }));
  });
});

describe('where the reply address is no connected account (C1.1)', () => {
  it('the effect on state is the same; events replied and bounced are not recorded, unsubscribed is', () => {
    for (const verdict of ['reply', 'unsubscribe_request', 'hard_bounce', 'feedback_report'] as const) {
      const of = { verdict, isComplaint: true };
      const tracked = effect(of);
      const only = (events: readonly string[]) => events.filter((type) => type === 'unsubscribed');
      const author = tracked.author && only(tracked.author);
      expect(effect({ ...of, isTracked: false })).toEqual({ ...tracked, events: only(tracked.events), author });
    }
  });
});
