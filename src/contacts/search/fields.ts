import { invalid } from '../../core/errors.ts';
import { contactFields } from './contact-fields.ts';
import { customValueFields } from './custom-value-fields.ts';
import { enrolmentFields } from './enrolment-fields.ts';
import { eventFields } from './event-fields.ts';
import type { Field, SearchContext } from './field.ts';

/** The fields of the search language. */
export interface Fields {
  /** Finds the field of a term; `cf.` is optional unless a built-in field has the name. Throws `invalid_request`. */
  require(name: string, position: number): Field;
  /** Field names allowed after `is:` or `has:`. */
  sugared(kind: 'is' | 'has'): string[];
}

/** Placeholder alias of an enrolment, for when only field names matter. */
const ANY_ENROLMENT = 'e';

/** Builds the fields of the language, in the order in which an error lists them. */
export function fieldsOf(context: SearchContext): Fields {
  const fields = [
    ...contactFields(context),
    ...enrolmentFields(context, ANY_ENROLMENT),
    ...eventFields(context),
    ...customValueFields(context),
  ];
  const byName = new Map(fields.map((field) => [field.name, field]));
  const find = (name: string) => byName.get(name) ?? byName.get(`cf.${name}`);
  return {
    require(name, position) {
      const field = find(name);
      if (field !== undefined) return field;
      const known = [...byName.keys(), 'has', 'is'].join(', ');
      throw invalid(`unknown field "${name}" at position ${position}; known fields: ${known}`);
    },
    sugared: (kind) => fields.filter(({ sugar }) => sugar?.[kind] === true).map(({ name }) => name),
  };
}
