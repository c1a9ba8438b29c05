import { parseTimestamp } from '../core/timestamp-text.ts';
import { inZone } from '../core/zone.ts';

/** Formats an instant as local time and zone: `2026-12-01 09:00 Europe/Berlin`. @param instant in the API's format, or RFC 3339 */
export function localText(instant: string, timezone: string): string {
  const at = /Z$/i.test(instant) ? new Date(instant) : parseTimestamp(instant);
  return `${inZone(at, timezone).toFormat('yyyy-MM-dd HH:mm')} ${timezone}`;
}
