import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { type Post, poll } from './inbound-moves.ts';
import { MARKS, SAYINGS, WRITERS } from './letters.ts';
import type { Life } from './life.ts';
import { command, type Move } from './moves.ts';
import * as people from './people-moves.ts';
import * as sending from './sending-moves.ts';
import type { Beginning, World } from './world.ts';

/** Random beginnings and sequences of moves. */

export const beginnings: Arbitrary<Beginning> = fc.record({
  kinds: fc.constantFrom<Beginning['kinds']>(['email'], ['email', 'email'], ['email', 'email', 'email'], ['email', 'call', 'email']),
  waits: fc.tuple(fc.constant(0), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
  replyTo: fc.constantFrom('own', 'own', 'other account', 'elsewhere'),
  stopsCompany: fc.boolean(),
  whenUnknown: fc.constantFrom('wait', 'continue'),
  whenColleagueReplies: fc.constantFrom('stop', 'continue'),
  hasCopies: fc.boolean(),
  isSuppressed: fc.boolean(),
});

const small = (max: number) => fc.nat({ max });
const [one, two, three] = [small(1), small(2), small(3)];

/** Selects the email that a letter or a click is about: usually one of the latest. */
const email = small(5);
const letters: Arbitrary<Post> = fc.record({
  letter: fc.record({
    saying: fc.constantFrom(...SAYINGS),
    writer: fc.constantFrom('contact', 'peer', ...WRITERS),
    mark: fc.constantFrom('id', ...MARKS),
  }),
  about: email,
});

/** Several servers in transit report one email: it came back once (D2.13). */
const reportedThrice = (_: number, saying: 'soft' | 'blame', mark: 'id' | 'ref', about: number): Post[] =>
  Array.from({ length: 3 }, () => ({ letter: { saying, mark, writer: 'contact' }, about }));

const moves: [weight: number, Arbitrary<Move>][] = [
  [3, fc.constantFrom(1, 5, 24, 72, 168, 240).map(sending.wait)],
  [5, fc.constant(null).map(sending.waitForWindow)],
  [8, fc.constant(null).map(() => sending.batch('take', null))],
  [3, fc.tuple(fc.constantFrom('hard', 'soft', 'ours', 'drop', 'lose'), two).map((of) => sending.batch(...of))],
  [1, fc.constant(null).map(() => sending.batch('limit', null))],
  [3, fc.tuple(one, fc.constantFrom('claimed', 'permitted', 'delivered')).map((of) => sending.crash(...of))],
  [3, fc.constant(null).map(sending.recovery)],
  [1, fc.tuple(two, fc.constantFrom('sent', 'resend')).map((of) => sending.decide(...of))],
  [1, email.map(sending.fetchImage)],
  [2, fc.constantFrom('done', 'skipped').map(sending.makeCall)],
  [1, fc.boolean().map(sending.setMailbox)],
  [8, fc.tuple(fc.constantFrom<0 | 1 | 'both'>(0, 1, 'both'), fc.array(letters, { minLength: 1, maxLength: 3 })).map((of) => poll(...of))],
  [1, fc.tuple(one, fc.constantFrom('soft', 'blame'), fc.constantFrom('id', 'ref'), email).map((of) => poll(of[0], reportedThrice(...of)))],
  [2, email.map(people.unsubscribe)],
  [
    2,
    fc
      .tuple(one, fc.constantFrom('activate', 'activate', 'pause', 'archive', 'unarchive', 'delete', 'restore'))
      .map((of) => people.campaignMove(...of)),
  ],
  [
    2,
    fc.tuple(one, fc.constantFrom('pause', 'resume', 'archive', 'unarchive', 'delete', 'restore')).map((of) => people.accountMove(...of)),
  ],
  [1, fc.tuple(one, one).map((of) => people.changeAccount(...of))],
  [1, fc.tuple(one, fc.constantFrom('own', 'other account', 'elsewhere')).map((of) => people.changeReplyTo(...of))],
  [1, fc.tuple(three, fc.constantFrom('archive', 'unarchive', 'delete', 'restore')).map((of) => people.contactMove(...of))],
  [2, three.map((to) => people.editAddress(0, to))],
  [1, fc.tuple(three, fc.boolean()).map((of) => people.suppressMove(...of))],
  [2, fc.tuple(one, three).map((of) => people.enrolMove(...of))],
  [2, fc.tuple(three, fc.constantFrom('stop', 'resume', 'resume')).map((of) => people.enrolmentMove(...of))],
  [1, fc.tuple(three, fc.constantFrom(2, 12)).map((of) => people.hold(...of))],
  [1, fc.tuple(one, fc.constantFrom('email', 'call'), small(2)).map((of) => people.appendStep(...of))],
  [1, fc.tuple(one, two).map((of) => people.removeStep(...of))],
  [1, fc.tuple(one, two, fc.option(fc.constantFrom(1, 4))).map((of) => people.editStep(...of))],
];

/** Generates commands that move model and database alike, weighted by their likelihood to find something. */
export const sequences = (replayPath?: string): Arbitrary<Iterable<AsyncCommand<Life, World>>> =>
  fc.commands(
    moves.flatMap(([weight, arbitrary]) => Array.from({ length: weight }, () => arbitrary.map(command))),
    { maxCommands: 24, size: 'max', ...(replayPath === undefined ? {} : { replayPath }) },
  );
