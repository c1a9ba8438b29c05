import { extname } from 'node:path';
import { invalid } from '../../core/errors.ts';

const MAX_NAME = 200;

/**
 * Extensions of files that run when they are opened. Gmail refuses an email with one of them
 * (https://support.google.com/mail/answer/6590), and other servers have like lists.
 */
const EXECUTABLE = new Set(
  `ade adp apk app appx appxbundle bash bat cab chm cmd com command cpl csh diagcab diagcfg diagpkg dll dmg elf ex ex_ exe hta img ins iso
  isp jar jnlp js jse ksh lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif pkg ps1 psm1 py rb reg run scr sct sh shb so sys vb vbe vbs
  vhd vxd wsc wsf wsh xll zsh`.split(/\s+/),
);

/** First bytes of programs, whatever their name says. */
const SIGNATURES: readonly (readonly [bytes: Buffer, kind: string])[] = [
  [Buffer.from('MZ'), 'a program for Windows'],
  [Buffer.from('7f454c46', 'hex'), 'a program for Linux'],
  [Buffer.from('feedface', 'hex'), 'a program for macOS'],
  [Buffer.from('feedfacf', 'hex'), 'a program for macOS'],
  [Buffer.from('cefaedfe', 'hex'), 'a program for macOS'],
  [Buffer.from('cffaedfe', 'hex'), 'a program for macOS'],
  [Buffer.from('cafebabe', 'hex'), 'a program for Java or macOS'],
  [Buffer.from('4c00000001140200', 'hex'), 'a shortcut of Windows'],
  [Buffer.from('#!'), 'a script'],
];

/**
 * The name under which a file is attached: the last part of a path, as one line, without characters that turn the reading direction.
 * Throws `invalid_request` for a name that is empty or too long then, or that of a program.
 */
export function attachmentName(given: string): string {
  const name = (given.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .toWellFormed()
    .trim()
    .replace(/(?<![. ])[. ]+$/, '');
  if (name === '') throw invalid('file: needs a name');
  if (name.length > MAX_NAME) throw invalid(`file: its name has more than ${MAX_NAME} characters`);
  const extension = extname(name.toLowerCase()).slice(1);
  if (EXECUTABLE.has(extension)) throw invalid(`file: .${extension} files can't be attached, since they run when they are opened`);
  return name;
}

/** Throws `invalid_request` for the first bytes of a program. */
export function refuseProgram(start: Buffer): void {
  const found = SIGNATURES.find(([bytes]) => start.subarray(0, bytes.length).equals(bytes));
  if (found !== undefined) throw invalid(`file: is ${found[1]}, which can't be attached, whatever its name`);
}
