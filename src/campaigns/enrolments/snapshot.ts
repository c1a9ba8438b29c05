import { raw, type Sql, sql } from '../../db/statement.ts';
import type { EnrolmentStatus } from '../states/enrolment.ts';

/** The hold of an enrolment: until when, why, and for which reply. */
interface Hold {
  held_until: string | null;
  hold_reason: string | null;
  held_by: number | null;
  /** The hold before that reply. */
  before_hold: Hold | null;
}

/** The state of an enrolment that a reply can change. Instants are text, as in JSON. */
export interface EnrolmentSnapshot extends Hold {
  status: EnrolmentStatus;
  stop_reason: string | null;
  due_at: string | null;
  /** The cause that it waits for instead of a time. */
  hold_kind: 'provider' | 'content' | null;
  content_fault: string | null;
  content_version: string | null;
  /** The reply that ended it, and the state before that reply. */
  ended_by: number | null;
  before_end: EnrolmentSnapshot | null;
}

/** Builds the `EnrolmentSnapshot` of enrolment `alias` as a JSON object. */
export function snapshotOf(alias: string): Sql {
  const e = raw(alias);
  return sql`jsonb_build_object('status', ${e}.status, 'stop_reason', ${e}.stop_reason, 'due_at', ${e}.due_at, 'hold_kind', ${e}.hold_kind, 'held_until', ${e}.held_until,
    'hold_reason', ${e}.hold_reason, 'held_by', ${e}.held_by, 'before_hold', ${e}.before_hold, 'content_fault', ${e}.content_fault,
    'content_version', ${e}.content_version, 'ended_by', ${e}.ended_by, 'before_end', ${e}.before_end)`;
}

/** Returns the state as if a reply had never come in. Later changes by others stay. Pure. */
export function withoutReply(snapshot: EnrolmentSnapshot, replyId: number): EnrolmentSnapshot {
  if (snapshot.ended_by === replyId && snapshot.before_end !== null) return withoutReply(snapshot.before_end, replyId);
  const before_end = snapshot.before_end && withoutReply(snapshot.before_end, replyId);
  return { ...snapshot, ...withoutHold(snapshot, replyId), before_end };
}

function withoutHold({ held_until, hold_reason, held_by, before_hold }: Hold, replyId: number): Hold {
  const before = before_hold && withoutHold(before_hold, replyId);
  if (held_by === replyId && before !== null) return before;
  return { held_until, hold_reason, held_by, before_hold: before };
}
