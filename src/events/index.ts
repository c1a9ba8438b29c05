export { EVENT_TYPES, type EventType, type NewEvent } from './event.ts';
export { recordEnrolled, recordEvents } from './record-events.ts';
