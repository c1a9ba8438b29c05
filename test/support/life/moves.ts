import type { AsyncCommand } from 'fast-check';
import { compare } from './compare.ts';
import type { Email, Enrolment, Life } from './life.ts';
import type { World } from './world.ts';

/** One move of a sequence, in the model and in the database. */
export interface Move {
  name: string;
  /** False if the move makes no sense in the current state; it is then left out. */
  isPossible?(life: Life): boolean;
  /** Moves the database. Throws `OutreachError` if the program refuses. */
  inWorld(world: World, life: Life): Promise<unknown>;
  /** Moves the model, using the current state of the database. Returns false if the program had to refuse. */
  inLife(life: Life, seen: Seen): boolean | undefined;
}

/** Facts that the model can't know in advance: ids, and the order of a batch. */
export interface Seen {
  world: World;
  /** The email of an enrolment's current step in the model. Throws if there is none. */
  emailOf(enrolment: Enrolment): Pick<Email, 'id' | 'messageId'>;
  /** The state of that email in the database; undefined without one. */
  stateOf(enrolment: Enrolment): string | undefined;
  isActive(enrolment: Enrolment): boolean;
}

/** Makes a fast-check command from a move: both sides move, and must agree on whether it is refused and on everything else. */
export const command = (move: Move): AsyncCommand<Life, World> => ({
  check: (life) => move.isPossible?.(life as Life) ?? true,
  toString: () => move.name,
  async run(life, world) {
    life.now = world.clock.now().getTime();
    const isDone = await world.attempt(() => move.inWorld(world, life));
    life.now = world.clock.now().getTime();
    await world.tick();
    const standing = await world.read();
    const find = (enrolment: Enrolment) => (enrolment.at === null ? undefined : standing.enrolments[enrolment.id]?.emails[enrolment.at.id]);
    const emailOf: Seen['emailOf'] = (enrolment) => {
      const found = find(enrolment);
      if (found === undefined) throw new Error(`after ${move.name}: ${enrolment.contact.address} has no email of the step due`);
      return { id: found.id, messageId: found.message_id };
    };
    const isActive: Seen['isActive'] = ({ id }) => standing.enrolments[id]?.status === 'active';
    const isExpected = move.inLife(life, { world, emailOf, stateOf: (enrolment) => find(enrolment)?.state, isActive }) ?? true;
    if (isDone !== isExpected)
      throw new Error(`${move.name} was ${isDone ? 'done' : 'refused'}, and had to be ${isExpected ? 'done' : 'refused'}`);
    life.completeFinished();
    compare(life, standing, move.name);
    checkWire(world, life);
  },
});

/** At most once: no Message-ID arrives twice unless a person had it resent. */
function checkWire(world: World, life: Life): void {
  const ids = world.arrived.map(({ messageId }) => messageId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index && !world.resent.has(id));
  if (twice !== undefined) throw new Error(`${twice} was sent twice`);
  const unknown = ids.find((id) => !life.emails.some(({ messageId, isOut }: Email) => messageId === id && isOut));
  if (unknown !== undefined) throw new Error(`${unknown} was sent, and no rule says so`);
}
