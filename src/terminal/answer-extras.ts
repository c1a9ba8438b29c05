import { fileSizeText } from '../core/english.ts';
import { shownLine } from './text-width.ts';

/** The lines about who else gets an email and which files it has; none where there are none. */
export const extrasOf = ({
  cc,
  attachments,
}: {
  cc: readonly string[];
  attachments: readonly { name: string; size: number }[];
}): string[] => [
  ...(cc.length === 0 ? [] : [`Cc: ${cc.map(shownLine).join(', ')}`]),
  ...attachments.map(({ name, size }) => `Attached: ${shownLine(name)} (${fileSizeText(size)})`),
];
