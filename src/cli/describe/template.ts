import { type Fact, factsText } from '../../terminal/facts.ts';
import type { Api } from '../client/api.ts';

type Template = Omit<Awaited<ReturnType<Api['templates']['get']['query']>>, 'body_html'>;

/** Describes a template or signature. */
export function describeTemplate({ id, name, type, subject, is_archived, is_shared_to_all }: Template): string {
  const facts: Fact[] = [
    ['Subject', subject],
    ['Shared', is_shared_to_all ? 'with everyone in the workspace' : null],
  ];
  const text = factsText(facts);
  return `${name} (${type} ${id})${is_archived ? ', archived' : ''}${text === '' ? '' : `\n${text}`}`;
}
