import { fileSizeText } from '../core/english.ts';
import { shownLine } from './text-width.ts';

/** Returns the lines about the Cc recipients and the attachments of an email; none if it has neither. */
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
