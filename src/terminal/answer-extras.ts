import { fileSizeText } from '../core/english.ts';
import { oneLine } from './text-width.ts';

/** The lines about who else gets an email and which files it has; none where there are none. */
export const extrasOf = ({
  cc,
  attachments,
}: {
  cc: readonly string[];
  attachments: readonly { name: string; size: number }[];
}): string[] => [
  ...(cc.length === 0 ? [] : [`Cc: ${cc.map(oneLine).join(', ')}`]),
  ...attachments.map(({ name, size }) => `Attached: ${oneLine(name)} (${fileSizeText(size)})`),
];
