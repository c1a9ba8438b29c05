import { type Fact, factsText } from '../../terminal/facts.ts';

interface Workspace {
  id: number;
  name: string;
  is_default: boolean;
  timezone: string | null;
  postal_address?: string | null;
  footer_html?: string | null;
  positive_labels: readonly string[];
}

/** Describes a workspace, and what it still lacks for sending. */
export function describeWorkspace(workspace: Workspace): string {
  const { id, name, is_default, timezone, postal_address, footer_html, positive_labels } = workspace;
  const facts: Fact[] = [
    ['Time zone', timezone ?? 'UTC, as none is set'],
    [
      'Postal address',
      postal_address === undefined
        ? null
        : (postal_address ?? 'none; emails need one in many countries, set it with: outreach workspace set --postal-address TEXT'),
    ],
    ['Footer', footer_html === undefined ? null : (footer_html ?? 'none')],
    ['Positive', `replies labelled ${positive_labels.join(', ')}`],
  ];
  return `${name} (workspace ${id})${is_default ? ', the default workspace' : ''}\n\n${factsText(facts)}`;
}
