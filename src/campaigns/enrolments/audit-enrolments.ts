import { auditAll, type Caller } from '../../access/index.ts';
import type { Tx } from '../../db/transaction.ts';

interface AuditedRow {
  id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
}

/** Writes an audit entry for each of the enrolments that one change concerns, in the workspace of the enrolment. */
export async function auditEnrolments(
  tx: Tx,
  caller: Caller,
  now: Date,
  action: `enrolment.${string}`,
  rows: readonly AuditedRow[],
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [workspaceId, ofWorkspace] of Map.groupBy(rows, (row) => row.workspace_id)) {
    const entries = ofWorkspace.map(({ id, campaign_id, contact_id }) => ({
      action,
      resourceType: 'enrolment',
      resourceId: id,
      changes: { campaign_id, contact_id, ...change },
    }));
    await auditAll(tx, { ...caller, workspaceId }, now, entries);
  }
}
