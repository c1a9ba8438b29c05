import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The ceiling of the API: node:http and pg, nothing else, doing the same work with the same statements, which were
 * recorded from the rooms: look the key up by its hash, then read one contact, or a page and its total. Parameters that
 * were recorded as SLOT are filled in per request. Prints its address.
 */
interface Statement {
  text: string;
  values: unknown[];
}
const { key, contact, page, total, slot } = JSON.parse(process.env.BENCH_STATEMENTS ?? '') as {
  key: Statement;
  contact: Statement;
  page: Statement;
  total: Statement;
  slot: number;
};
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
/** Prepared once per connection, because the bare parts can: planning costs more than reading one row. */
const run = (name: string, { text, values }: Statement) => pool.query({ name, text, values });
const filled = (name: string, statement: Statement, value: unknown) =>
  run(name, { ...statement, values: statement.values.map((given) => (given === slot ? value : given)) });

async function answer(url: string, authorization: string | undefined): Promise<unknown> {
  const hash = createHash('sha256')
    .update((authorization ?? '').slice('Bearer '.length))
    .digest();
  if ((await run('key', { text: key.text, values: [hash] })).rows.length === 0) throw new Error('unknown key');
  const id = /^\/api\/v1\/contacts\/(\d+)$/.exec(url)?.[1];
  if (id !== undefined) return (await filled('contact', contact, Number(id))).rows[0];
  const offset = Number(new URLSearchParams(url.split('?')[1]).get('offset'));
  const [rows, count] = await Promise.all([filled('page', page, offset), run('total', total)]);
  return { data: rows.rows, pagination: { total: count.rows[0].total, limit: 50, offset } };
}

const server = createServer((req, res) => {
  answer(req.url ?? '', req.headers.authorization).then(
    (body) => {
      const text = JSON.stringify(body);
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
    },
    (error) => res.writeHead(500, { 'content-length': 0 }).end(void console.error(error)),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit());
