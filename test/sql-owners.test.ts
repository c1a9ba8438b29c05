import { describe, expect, it } from 'vitest';
import { entityWrites } from './support/sql/entities.ts';
import { foreignReads, foreignStates, foreignWrites } from './support/sql/owners.ts';
import { readSql } from './support/sql/statements.ts';

const IMPORT = `import { empty, join, prepared, raw, type Sql, sql } from '../../db/statement.ts';\n`;

/** What the rules of owners say of a file of src/inbound with that code, and of others beside it. */
function judge(code: string, others: Readonly<Record<string, string>> = {}) {
  const file = 'src/inbound/wrong.ts';
  const texts = { ...others, [file]: IMPORT + code };
  const found = readSql(Object.keys(texts), texts);
  const uses = [...found.tables, ...entityWrites(Object.keys(texts), texts)];
  return {
    unread: found.unread.map(({ line }) => line),
    writes: foreignWrites(uses)
      .map(({ what, where }) => `${what.replace(`${file} `, '')} (${where})`)
      .sort(),
    reads: foreignReads(uses)['src/inbound'] ?? [],
    states: [...new Set(foreignStates(found).map(({ what }) => what.replace(`${file} `, '')))].sort(),
  };
}

describe('the reader of SQL', () => {
  it('finds a write to a table of another folder, with its line', () => {
    const { writes } = judge('export const wrong = (tx) => tx.query(sql`\n  update accounts set tracking_host = null`);');
    expect(writes).toEqual(['writes accounts, which src/accounts owns (src/inbound/wrong.ts:3)']);
  });

  it('finds it in a common table expression, in an upsert, and wherever it is prepared', () => {
    const statement = 'with gone as (delete from events where id = 1 returning id) insert into outbox (id) select id from gone';
    expect(judge(`export const wrong = (tx, id) => tx.query(prepared(sql\`${statement}\`));`).writes).toEqual([
      'writes events, which src/events owns (src/inbound/wrong.ts:2)',
      'writes outbox, which src/outbox owns (src/inbound/wrong.ts:2)',
    ]);
  });

  it('finds it in text that a client is given, and in COPY', () => {
    const code = "client.query('truncate contacts, lists'); client.query(copyFrom(`copy shares (id) from stdin`));";
    expect(judge(code).writes.map((what) => what.split(',')[0])).toEqual(['writes contacts', 'writes lists', 'writes shares']);
  });

  it('finds a table whose name only the program knows', () => {
    expect(judge(`export const wrong = (tx, table: string) => tx.query(sql\`delete from \${raw(table)}\`);`).writes).toEqual([
      'writes hole, which nobody owns (src/inbound/wrong.ts:2)',
    ]);
  });

  it('holds a fragment against the file that it stands in, not the one that uses it', () => {
    const owner = `${IMPORT}export const countSent = (id: number): Sql => sql\`update account_days set accepted = 1 where account_id = \${id}\`;`;
    const user = `import { countSent } from '../accounts/days.ts';\nexport const permit = (tx, id) => tx.query(sql\`with counted as (\${countSent(id)}) select 1\`);`;
    expect(judge(user, { 'src/accounts/days.ts': owner })).toEqual({ unread: [], writes: [], reads: [], states: [] });
    const wrong = judge(user, {
      'src/tracking/days.ts': owner,
      'src/accounts/days.ts': "export { countSent } from '../tracking/days.ts';",
    });
    expect(wrong.writes).toEqual(['src/tracking/days.ts writes account_days, which src/accounts owns (src/tracking/days.ts:2)']);
  });

  it('finds an entity in the hands of another folder', () => {
    const entities = `export const Contact = defineEntity({ name: 'Contact', tableName: 'contacts', properties: {} });\nexport type Contact = 1;`;
    const code =
      "import type { Contact } from '../contacts/index.ts';\nexport const wrong = (contact: Contact) => Object.assign(contact, { name: '' });";
    const others = { 'src/contacts/entities.ts': entities, 'src/contacts/index.ts': "export { Contact } from './entities.ts';" };
    expect(judge(code, others).writes).toEqual(['writes contacts, which src/contacts owns (src/inbound/wrong.ts:2)']);
  });

  it('finds a kind of record in the hands of another folder', () => {
    const kinds = `import type { Contact } from './entities.ts';
      export const CONTACT = scopedRecord<Contact>('Contact', 'contacts');
      export const SAME: RecordKind<Contact> = { entity: 'Contact' };`;
    const others = {
      'src/contacts/entities.ts': "export const Contact = defineEntity({ name: 'Contact', tableName: 'contacts', properties: {} });",
      'src/contacts/kinds.ts': kinds,
    };
    for (const kind of ['CONTACT', 'SAME']) {
      const code = `import { ${kind} } from '../contacts/kinds.ts';\nexport const wrong = (tx) => changeRecord(tx, ${kind}, 1, {});`;
      expect(judge(code, others).writes).toEqual(['writes contacts, which src/contacts owns (src/inbound/wrong.ts:2)']);
    }
  });

  it('finds the tables that are read, whatever they are called by, and no names that the statement makes', () => {
    const code =
      'export const read = sql`with due as (select 1 from enrolments e join steps on true) select * from due d for update of d`;';
    expect(judge(code).reads).toEqual(['enrolments', 'steps']);
  });

  it('finds states that are spelt, also in branches and fragments', () => {
    const code = `
      const isPaused = (a: string): Sql => sql\`\${raw(a)}.status = 'paused'\`;
      export const list = (all: boolean) => sql\`select 1 from accounts a where \${isPaused('a')}\${all ? empty : sql\` and a.pause_reason in ('manual', 'provider_error')\`}\`;`;
    expect(judge(code).states).toEqual([
      'spells accounts.pause_reason',
      'spells accounts.status',
      'spells some.pause_reason',
      'spells some.status',
    ]);
  });

  it('says what it can not read', () => {
    expect(judge('export const wrong = sql`select from where`;').unread).toEqual([2]);
  });
});
