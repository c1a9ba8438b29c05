import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StepKind } from '../states/step.ts';

export const Step = defineEntity({
  name: 'Step',
  tableName: 'steps',
  properties: {
    id: p.integer().primary(),
    campaign_id: p.integer(),
    step_order: p.integer(),
    kind: p.text().$type<StepKind>().default('email'),
    subject: p.text().default(''),
    body_html: p.text(),
    subject_b: p.text().nullable(),
    body_html_b: p.text().nullable(),
    wait_days: p.integer().default(0),
    /** Hours added to the days. */
    wait_hours: p.integer().default(0),
    /** True if the days are business days instead of calendar days. */
    business_days: p.boolean().default(false),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type Step = InferEntity<typeof Step>;
