import { inZone } from '../core/zone.ts';

/** An instant as people read it: local time and zone, `2026-12-01 09:00 Europe/Berlin`. @param instant as the API shows it, or RFC 3339 */
export function localText(instant: string, timezone: string): string {
  const utc = /Z$/i.test(instant) ? instant : `${instant.replace(' ', 'T')}Z`;
  return `${inZone(new Date(utc), timezone).toFormat('yyyy-MM-dd HH:mm')} ${timezone}`;
}
