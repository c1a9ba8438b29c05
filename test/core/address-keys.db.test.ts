import { array, assert, asyncProperty, constantFrom, pre, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { addressKey, cleanAddress, domainOf, emailAddress, mailboxKey } from '../../src/core/email-address.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';

const { app } = await testInstallation();

const keysInDatabase = async (address: string) =>
  (
    await app.db.query<{ address: string; mailbox: string; domain: string }>(sql`
      select address_key(a) as address, mailbox_key(a) as mailbox, address_domain(a) as domain from unnest(${[address]}::text[]) a`)
  )[0];

function accepted(text: string): string | undefined {
  try {
    return emailAddress(text);
  } catch {
    return undefined;
  }
}

it.each([
  ['ada@example.com', 'ADA@Example.COM'],
  ['info@xn--bcher-kva.example', 'info@bücher.example'],
  ['info@xn--bcher-kva.example', 'Info@BÜCHER.example'],
  ['info@xn--bcher-kva.example', 'info@bu\u0308cher.example'],
  ['info@xn--bcher-kva.example', 'info@XN--bcher-KVA.example'],
  ['x@corp.example', 'x@ＣＯＲＰ.example'],
  ['ann@example.com', '\u200eann\u200b@exam\u00adple.com\u2060'],
  ['ann@example.com', '\ufeffann@example.com\u00a0'],
  ['zoë@example.com', 'ZOE\u0308@example.com'],
  ['x@xn--strae-oqa.example', 'x@straße.example'],
  ['x@xn--parallel-koa.example', 'x@paral·lel.example'],
  ['x@xn--parallel-koa.example', 'x@PARAĿLEL.example'],
])('an address has one key: %s, also written as %j', async (key, spelling) => {
  expect(addressKey(spelling)).toBe(key);
  expect(await keysInDatabase(cleanAddress(spelling))).toMatchObject({ address: key, domain: domainOf(spelling) });
});

it.each([
  ['ann@example.com', 'ann+tools@example.com'],
  ['ann@example.com', 'Ann+a+b@example.com'],
  ['annlee@gmail.com', 'ann.lee@gmail.com'],
  ['annlee@gmail.com', 'A.n.n.Lee+news@GoogleMail.com'],
  ['ann.lee@example.com', 'ann.lee@example.com'],
  ['+ann@example.com', '+ann@example.com'],
  ['info@xn--bcher-kva.example', 'info+x@bücher.example'],
  ['@gmail.com', '@gmail.com'],
])('"a tag (ann+x@) is its base address, dots do not count at Gmail": %s for %s', async (key, address) => {
  expect(mailboxKey(address)).toBe(key);
  expect(await keysInDatabase(address)).toMatchObject({ mailbox: key });
});

// What somebody asks for, as the account of GET /activity, need not be an address.
it.each([
  ...['ô\r', 'a@ô\u0001', 'ÛyIdÔ\rÌ', '\u0002LÖ', 'é\u007f.é\n.example', 'é@\tü', '\u00a0\u0085', '@é', 'é..é', '日本'.repeat(160)],
  ...['\u{10ffff}'.repeat(320), `a@${'é\u001f'.repeat(160)}`],
])('the database makes a key of any text, in no time: %j', async (text) => {
  expect((await keysInDatabase(text))?.address).toEqual(expect.any(String));
});

// DNS asks for "ß⫰" and "¥zc¤aaxn£--zca.coma" here: signs, which stay in A-labels.
it.each([
  ['a@xn--zca256s', 'a@xn--zca256ſ'],
  ['a@xn--zcaaxn--zca-gmail.coma', 'a@xn--zcaａxn--zca-gmail.coma'],
  ['a@bücher.example', 'a@xn--bcher-kvａ.example'],
])('an A-label with other letters in it is read as DNS reads it: %s, typed as %s', async (stored, typed) => {
  expect(emailAddress(typed)).toBe(stored);
  expect(await keysInDatabase(stored)).toMatchObject({ address: addressKey(typed) });
});

it('the database and the program make the same keys of any address', async () => {
  const word = (...some: string[]) => array(constantFrom(...some), { minLength: 1, maxLength: 7 }).map((all) => all.join(''));
  const locals = word('a', 'Z', '+', '.', 'é', 'Ü', '\u200b', 'e\u0301', '日', 'ж');
  const domains = word(...'aB-.üÜéßİЖａ\u00ad𐍈Ŀ・', '日本', 'क्षि', 'l·l', 'xn--zca', '256ſ', 'gmail.com');
  await assert(
    asyncProperty(tuple(locals, domains), async ([local, domain]) => {
      const address = accepted(`${local}@${domain}`);
      pre(address !== undefined);
      expect(await keysInDatabase(address)).toEqual({
        address: addressKey(address),
        mailbox: mailboxKey(address),
        domain: domainOf(address),
      });
      expect(addressKey(addressKey(address))).toBe(addressKey(address));
    }),
    { numRuns: 1500 },
  );
});
