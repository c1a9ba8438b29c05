import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CallStatus } from '../states/call.ts';

/** A call to make: the task that a call step becomes once it is due. */
export const CallTask = defineEntity({
  name: 'CallTask',
  tableName: 'call_tasks',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    campaign_id: p.integer(),
    enrolment_id: p.integer(),
    step_id: p.integer(),
    status: p.text().$type<CallStatus>().default('pending'),
    due_at: p.datetime(),
    note: p.text().nullable(),
    closed_by: p.integer().nullable(),
    closed_at: p.datetime().nullable(),
    created_at: p.datetime(),
  },
});
export type CallTask = InferEntity<typeof CallTask>;
