import { workspaceVersion } from '../../access/index.ts';
import { customFieldsVersion } from '../../contacts/index.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { signatureVersion } from '../../templates/index.ts';

/**
 * SQL expression for the version of everything that the emails of a step are written from, except the contact. It changes with step `s`,
 * step 1 of its campaign, the campaign `c`, the workspace and its custom fields, and the signature of account `a`. Compares row versions
 * (`xmin`), not times, because the clocks of several hosts differ and a change may commit after a later one.
 */
export const stepVersion: Sql = sql`concat_ws(' ', s.id, s.xmin, c.xmin,
  (select f.xmin from steps f where f.campaign_id = c.id and f.step_order = 1 and f.deleted_at is null),
  'signature', a.signature_template_id, ${signatureVersion('a')}, 'fields', ${customFieldsVersion('c.workspace_id')},
  'workspace', ${workspaceVersion('c.workspace_id')})`;

/** SQL expression for the version of contact `t`. */
export const contactVersion: Sql = sql`concat_ws(' ', 'contact', t.xmin)`;

/**
 * SQL expression for the version of everything that an email of a step to contact `t` is written from: `stepVersion` and `contactVersion`.
 */
export const contentVersion: Sql = sql`concat_ws(' ', ${stepVersion}, ${contactVersion})`;
