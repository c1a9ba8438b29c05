import { EVENT_TYPES, type EventType } from '../../core/event-types.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { dateField, type Field, instantIn, readBoolean, type SearchContext } from './field.ts';
import { ALWAYS, type Span } from './spans.ts';

/** Fields of a contact's events, in the campaigns that the caller can see. */
export function eventFields(context: SearchContext): Field[] {
  const { caller, campaigns } = context;
  const happened = (type: EventType, span: Span) => campaigns.hasEvent(caller, type, (at) => instantIn(at, span));
  const called = (span: Span) => campaigns.wasCalled(caller, (at) => instantIn(at, span));
  // Nearly all events lie before a date. Enrolments are fewer and have the time of their last email, so they are used to find emails sent
  // after a date.
  const sent = (span: Span) =>
    span.from === null ? campaigns.hasEnrolment(caller, 'v', instantIn('v.last_sent_at', span)) : happened('sent', span);
  const part = { sugar: { has: true }, isElsewhere: true };
  return [
    ...EVENT_TYPES.map((type) => eventField(context, type, (span) => happened(type, span))),
    dateField('contacted', context, (span) => [happened('sent', span), called(span)], part),
    dateField('last_sent', context, (span) => [lastIn(sent, span)], part),
    dateField('last_replied', context, (span) => [lastIn((within) => happened('replied', within), span)], part),
    dateField('next_send', context, (span) => [context.nextSend(span)], part),
  ];
}

/** Field that is true, false, or a date on which the event happened at least once. Indexes: events_contact, events_feed_type. */
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

/** Condition: the last event lies in the span, that is, there is one in it and none after it. */
function lastIn(happened: (span: Span) => Sql, span: Span): Sql {
  const within = happened(span);
  return span.to === null ? within : sql`(${within} and not ${happened({ from: span.to, to: null })})`;
}
