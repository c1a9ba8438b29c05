import { workspaceVersion } from '../../access/index.ts';
import { customFieldsVersion } from '../../contacts/index.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { signatureVersion } from '../../templates/index.ts';

/**
 * The version of everything that the emails of a step are written from but for the contact, as an SQL expression: it changes with every
 * change of the step `s`, of step 1 of its campaign `c`, of the workspace and its custom fields and of the signature of account `a`. Row
 * versions (`xmin`) are compared, not times: clocks of several hosts differ, and a change may commit after a later one.
 */
export const stepVersion: Sql = sql`concat_ws(' ', s.id, s.xmin, c.xmin,
  (select f.xmin from steps f where f.campaign_id = c.id and f.step_order = 1 and f.deleted_at is null),
  'signature', a.signature_template_id, ${signatureVersion('a')}, 'fields', ${customFieldsVersion('c.workspace_id')},
  'workspace', ${workspaceVersion('c.workspace_id')})`;

/** The version of a contact `t`, as an SQL expression. */
export const contactVersion: Sql = sql`concat_ws(' ', 'contact', t.xmin)`;

/** The version of everything that an email of a step to contact `t` is written from: `stepVersion` and `contactVersion`. */
export const contentVersion: Sql = sql`concat_ws(' ', ${stepVersion}, ${contactVersion})`;
