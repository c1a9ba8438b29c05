import { visible } from '../../access/index.ts';
import { domainOf } from '../../core/email-address.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { joinedText, likeLiteral } from '../read-contact.ts';
import { roughlyLike } from '../same-letters.ts';
import { listedCondition } from '../suppressions.ts';
import type { Value } from './ast.ts';
import { booleanField, dateField, type Field, instantIn, integerField, type SearchContext, textField, wholeTextField } from './field.ts';
import { likePattern, type Pattern, patternOf, textLike } from './patterns.ts';
import { isWord } from './values.ts';

/** Fields of the contact and of its lists. */
export function contactFields(context: SearchContext): Field[] {
  return [
    integerField('id', sql`c.id`),
    textField('name', sql`c.name`, throughTextIndex, { sugar: { has: true } }),
    textField('email', sql`c.email`, throughTextIndex),
    textField('company', sql`coalesce(c.company, '')`, throughTextIndex, { sugar: { has: true } }),
    domainField,
    ...listFields(context),
    booleanField('suppressed', listedCondition(context.app, sql`c.workspace_id`, sql`c.email`), {
      sugar: { is: true },
      isElsewhere: true,
    }),
    archivedField,
    booleanField('shared', sql`c.is_shared_to_all`),
    ownerField(context),
    dateField('created', context, (span) => [instantIn('c.created_at', span)]),
    dateField('updated', context, (span) => [instantIn('c.updated_at', span)]),
  ];
}

const MIN_TRIGRAMS = 3;

/**
 * Adds a condition on the joined name, address and company, which one index covers: text in one of them is also in the joined text. Index:
 * contacts_text (trigrams), for three characters or more.
 */
function throughTextIndex(condition: Sql, pattern?: Pattern): Sql {
  const literal = pattern?.literal ?? '';
  if (literal.length < MIN_TRIGRAMS) return condition;
  return sql`(${roughlyLike(joinedText('c'), `%${likeLiteral(literal)}%`)} and ${condition})`;
}

/**
 * Indexes: contacts_domain for a whole domain in either spelling, contacts_text for `*.acme.com`. Part of a domain outside ASCII is
 * searched for in addresses as they were typed, because A-labels contain no part of it.
 */
const domainField: Field = {
  name: 'domain',
  any: [sql`true`],
  match(value) {
    const pattern = patternOf('domain', value, true);
    const { literal, anythingBefore, anythingAfter } = pattern;
    const isPart = anythingBefore || anythingAfter;
    if (isPart && domainOf(literal) !== literal.toLowerCase())
      return [throughTextIndex(textLike(sql`split_part(c.email, '@', -1)`, pattern), pattern)];
    const like = likePattern({ ...pattern, literal: domainOf(literal) });
    const condition = sql`address_domain(c.email) like ${like}`;
    return [anythingBefore ? throughTextIndex(condition, pattern) : condition];
  },
};

/** Indexes: list_members_contact, list_members_pkey, lists_page. */
function listFields({ caller }: SearchContext): Field[] {
  const isOnList = (condition: Sql) => sql`exists (
    select from list_members m join lists l on l.id = m.list_id and ${visible(caller, 'lists', 'l')}
    where m.contact_id = c.id and ${condition})`;
  return [
    wholeTextField('list', sql`l.name`, isOnList, { sugar: { has: true }, isElsewhere: true }),
    integerField('list_id', sql`l.id`, isOnList, { isElsewhere: true }),
  ];
}

const plainArchived = booleanField('archived', sql`c.is_archived`);

/** `archived:any` matches both; any term on `archived` removes the implicit `archived:false`. */
const archivedField: Field = {
  ...plainArchived,
  match: (value: Value) => (value.kind === 'comparison' && isWord(value.scalar, 'any') ? [sql`true`] : plainArchived.match(value)),
};

/** The creator's address, or `me`. Index: contacts_owner. */
function ownerField({ caller }: SearchContext): Field {
  const hasCreator = (condition: Sql) => sql`exists (select from users u where u.id = c.created_by and ${condition})`;
  const part = { any: [sql`c.created_by is not null`], isElsewhere: true, sugar: { has: true } };
  const byAddress = textField('owner', sql`u.email`, hasCreator, part);
  const isMine = caller.userId === null ? sql`false` : sql`(c.created_by = ${caller.userId} and c.created_by is not null)`;
  return {
    ...byAddress,
    match: (value) => (value.kind === 'comparison' && isWord(value.scalar, 'me') ? [isMine] : byAddress.match(value)),
  };
}
