import type { PoolClient } from 'pg';

/** A step of a plan, as `explain (analyze, format json)` has it. */
export interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** Rows that the steps of a plan gave and passed over, all its loops together. */
export function rowsIn(node: PlanNode): number {
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), each * node['Actual Loops']);
}

/**
 * Returns what runs a statement and answers the rows that its plan took, with those of the plans of all triggers that it fired: work that is
 * the same on every machine.
 * @param client of a superuser, whom PostgreSQL lets load auto_explain
 */
export async function planRows(client: PoolClient): Promise<(statement: string) => Promise<number>> {
  await client.query(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0; set auto_explain.log_level = notice; set auto_explain.log_format = json;
    set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_nested_statements = on`);
  let rows = 0;
  client.on('notice', ({ message = '' }) => {
    const { Plan: plan } = JSON.parse(message.slice(message.indexOf('{'))) as { Plan: PlanNode };
    rows += rowsIn(plan);
  });
  return async (statement) => {
    rows = 0;
    await client.query(statement);
    return rows;
  };
}
