import { quantity, withoutFullStop } from '../../core/english.ts';
import { type Fact, factsText } from '../../terminal/facts.ts';
import { hoursText } from '../../terminal/window-text.ts';
import type { Api } from '../client/api.ts';

type Webhook = Awaited<ReturnType<Api['webhooks']['get']['query']>>;

/** Describes a webhook: its messages, its state, and the command that helps if it does not deliver. */
export function describeWebhook(webhook: Webhook): string {
  const { id, name, url, types, campaign_ids, include_body, is_enabled, disabled_reason, consecutive_failures: failures } = webhook;
  const state = is_enabled
    ? failures === 0
      ? 'It is on.'
      : `It is on, but the last ${quantity(failures, 'delivery', 'deliveries')} failed; see: outreach webhook deliveries ${id}`
    : `It is off${disabled_reason === null ? '' : `: ${withoutFullStop(disabled_reason)}`}. Turn it on with: outreach webhook enable ${id}`;
  const facts: Fact[] = [
    ['Posts to', url],
    ['Messages', types.length === 0 ? 'every type except event.sent, event.opened and event.clicked' : types.join(', ')],
    ['Campaigns', campaign_ids.length === 0 ? 'all' : campaign_ids.join(', ')],
    ['Replies', include_body ? 'with their whole text' : null],
    ['Quiet', webhook.quiet_hours === null ? null : `${hoursText([webhook.quiet_hours])}, in the zone of the workspace`],
    ['Last success', webhook.last_success_at === null ? 'never' : `${webhook.last_success_at} UTC`],
    ['Last failure', webhook.last_failure_at === null ? null : `${webhook.last_failure_at} UTC`],
  ];
  return `${name} (webhook ${id})\n${state}\n\n${factsText(facts)}`;
}
