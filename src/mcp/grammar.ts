import { EVENT_TYPES } from '../core/event-types.ts';

/** Smart Search in a few lines: without them a model guesses, and an empty result does not show the mistake. docs/smart-search.md is complete. */
export const GRAMMAR =
  'The query: `field:value` terms that all hold, `OR` between alternatives, `-` before what must not hold, parentheses, quotes around spaces. A bare ' +
  'word is a text in name, email or company, not a wish in words. Fields: name, email, company, domain, list, campaign, status (active, replied, ' +
  `stopped, bounced, completed, none), step, ${EVENT_TYPES.join(', ')}, suppressed, archived, created, updated, ` +
  'contacted, owner, and cf.KEY for custom fields. Numbers and dates take > >= < <= and a..b; dates are 2026-01-31, today, or an age such as 30d. ' +
  'Examples: `company:acme -replied:true`; `campaign:"Spring fair" status:active step:2`; `created:>7d (domain:acme.com OR cf.city:berlin)`; ' +
  '`last_replied:none`.';
