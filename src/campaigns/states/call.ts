import type { Sql } from '../../db/statement.ts';
import { isOneOf } from '../../db/words.ts';

export const CALL_STATUSES = ['pending', 'done', 'skipped', 'cancelled'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Call task `alias` has one of these statuses. */
export const callIs = (alias: string, ...statuses: [CallStatus, ...CallStatus[]]): Sql => isOneOf(`${alias}.status`, statuses);

/** Call task `alias` completed its step: the call was made, or skipped by a person. */
export const isCallCompleted = (alias: string): Sql => callIs(alias, 'done', 'skipped');
