import { visible } from '../../access/index.ts';
import { type Sql, sql } from '../../db.ts';
import { enrolmentExists } from './enrolment-fields.ts';
import { dateField, type Field, instantIn, readBoolean, type SearchContext } from './field.ts';
import { ALWAYS, type Span } from './spans.ts';

const EVENT_TYPES = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'unsubscribed', 'enrolled'] as const;
type EventType = (typeof EVENT_TYPES)[number];

/** Of what nearly every contact has, several times, an enrolment keeps the first time or the last. */
const KEPT: Partial<Record<EventType, string>> = { opened: 'opened_at', sent: 'last_sent_at' };

/** The fields of what happened to a contact, in the campaigns that the caller can see. */
export function eventFields(context: SearchContext): Field[] {
  const { caller } = context;
  const logged = (type: EventType, span: Span) => sql`exists (
    select from events v join campaigns k on k.id = v.campaign_id and ${visible(caller, 'campaigns', 'k')}
    where v.contact_id = c.id and v.workspace_id = ${caller.workspaceId} and v.type = ${type} and ${instantIn('v.at', span)})`;
  const kept = (column: string, span: Span) => enrolmentExists(context, 'v', instantIn(`v.${column}`, span));
  // Without dates all events of a type would be read, which are several times the enrolments.
  const happened = (type: EventType, span: Span) => {
    const column = span.from === null && span.to === null ? KEPT[type] : undefined;
    return column === undefined ? logged(type, span) : kept(column, span);
  };
  const called = (span: Span) => sql`exists (
    select from call_tasks t join enrolments n on n.id = t.enrolment_id
    join campaigns k on k.id = n.campaign_id and ${visible(caller, 'campaigns', 'k')}
    where n.contact_id = c.id and t.status = 'done' and ${instantIn('t.closed_at', span)})`;
  // Nearly all that was sent was sent before a date; what was sent after one is found by it.
  const sent = (span: Span) => (span.from === null ? kept('last_sent_at', span) : logged('sent', span));
  const part = { sugar: { has: true }, isElsewhere: true };
  return [
    ...EVENT_TYPES.map((type) => eventField(context, type, (span) => happened(type, span))),
    dateField('contacted', context, (span) => [happened('sent', span), called(span)], part),
    dateField('last_sent', context, (span) => [lastIn(sent, span)], part),
    dateField('last_replied', context, (span) => [lastIn((within) => logged('replied', within), span)], part),
    dateField('next_send', context, (span) => [context.nextSend(span)], part),
  ];
}

/** True, false, or a date on which it happened at least once. Index: events_contact, events_feed_type. */
function eventField(context: SearchContext, type: EventType, happened: (span: Span) => Sql): Field {
  const date = dateField(type, context, (span) => [happened(span)], { sugar: { is: true, has: true }, isElsewhere: true });
  return {
    ...date,
    match(value) {
      const plain = value.kind === 'comparison' && (value.operator === '' || value.operator === '=') ? value.scalar.text : '';
      const boolean = readBoolean(plain);
      if (boolean === undefined) return date.match(value);
      return boolean ? date.any : [sql`not ${happened(ALWAYS)}`];
    },
  };
}

/** The last time lies in the span when there is one in it and none after it. */
function lastIn(happened: (span: Span) => Sql, span: Span): Sql {
  const within = happened(span);
  return span.to === null ? within : sql`(${within} and not ${happened({ from: span.to, to: null })})`;
}
