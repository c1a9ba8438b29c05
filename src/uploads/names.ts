import { extname } from 'node:path';
import { invalid } from '../core/errors.ts';

const MAX_NAME = 200;

/**
 * Extensions of files that run, or make a program run, when they are opened: those that Gmail (https://support.google.com/mail/answer/6590)
 * and Outlook (https://support.microsoft.com/office/434752e1-02d3-4e90-9124-8b81e49a8519) refuse, documents with macros, and files that a
 * browser runs.
 */
const EXECUTABLE = new Set(
  `ade adp apk app appcontent-ms appinstaller application appref-ms appx appxbundle asp aspx bash bas bat cab cer chm cmd cnt com command
  cpl crt csh der desktop diagcab diagcfg diagpkg dll dmg docm dotm elf ex ex_ exe fxp gadget grp hlp hpj hta htc htm html img inf ins iqy iso
  isp its jar jnlp js jse ksh lib library-ms lnk mad maf mag mam maq mar mas mat mau mav maw mcf mda mdb mde mdt mdw mdz mht mhtml mjs msc msh
  msi msix msixbundle msp mst msu nsh odc ops osd pcd php pif pkg pl plg potm ppam ppsm pptm prf prg printerexport ps1 psc1 psd1 psdm1 psm1 pst
  py pyc pyo pyw pyz rb rdp reg run scf scr sct search-ms searchconnector-ms settingcontent-ms sh shb shs slk sldm so svg sys theme tmp url
  vb vbe vbp vbs vhd vhdx vsmacros vsw vxd webpnp website wll ws wsb wsc wsf wsh xbap xlam xll xlsm xltm xnk zsh`.split(/\s+/),
);

/** First bytes of programs, which count regardless of the name. */
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
 * Returns the name under which a file is attached: the last part of a path, on one line, without characters that change the writing
 * direction. Throws `invalid_request` if the result is empty, too long, or the name of a program.
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
