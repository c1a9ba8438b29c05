import { join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { PlaceValue, SealedColumn } from '../secrets/sealed-columns.ts';

const BATCH_SIZE = 500;

interface SealedValue {
  key: (string | number)[];
  bound: PlaceValue[];
  value: string;
}

/**
 * Iterates over the sealed values of a column, which stay locked until the end of the transaction, and stores what `reseal` returns.
 * @param reseal gets a value with the values of the columns `key` and `bound`. If it returns undefined, the value stays; if it throws, the
 * value stays and counts as unreadable
 */
export async function resealColumn(
  tx: Queryable,
  column: SealedColumn,
  reseal: (value: string, values: PlaceValue[]) => string | undefined,
): Promise<{ changed: number; unreadable: number }> {
  const text = column.isJson === true ? sql`${raw(column.column)} #>> '{}'` : sql`${raw(column.column)}`;
  const array = (columns: readonly string[]) => sql`jsonb_build_array(${raw(columns.map((part) => `to_jsonb(${part})`).join(', '))})`;
  await tx.query(sql`
    declare sealed cursor for select ${array(column.key)} as key, ${array(column.bound ?? [])} as bound, ${text} as value
    from ${raw(column.table)} where ${text} like 'v1:%' for no key update`);
  const count = { changed: 0, unreadable: 0 };
  for (;;) {
    const rows = await tx.query<SealedValue>(sql`fetch ${raw(String(BATCH_SIZE))} from sealed`);
    for (const { key, bound, value } of rows) {
      const next = attempt(() => reseal(value, [...key, ...bound]));
      if (next === 'failed') count.unreadable++;
      else if (next.value !== undefined) {
        count.changed++;
        await tx.query(storeValue(column, key, next.value));
      }
    }
    if (rows.length < BATCH_SIZE) break;
  }
  await tx.query(sql`close sealed`);
  return count;
}

function attempt<Value>(work: () => Value): { value: Value } | 'failed' {
  try {
    return { value: work() };
  } catch {
    return 'failed';
  }
}

function storeValue({ table, column, key, isJson }: SealedColumn, values: readonly (string | number)[], value: string): Sql {
  const row = key.map((name, index) => sql`${raw(name)} = ${values[index]}`);
  const stored = isJson === true ? sql`to_jsonb(${value}::text)` : sql`${value}`;
  return sql`update ${raw(table)} set ${raw(column)} = ${stored} where ${join(row, ' and ')}`;
}
