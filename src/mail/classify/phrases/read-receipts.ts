import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Beginnings of the subject of a receipt that Outlook and Exchange send when a message is opened or deleted unread. */
export const RECEIPT_OF_READING = new PhraseTable([
  group('cs', 'Outlook in this language')`
    ^[ne]přečteno:
  `,
  group('da', 'Outlook in this language')`
    ^(læst|ulæst):
  `,
  group('de', 'Outlook in this language')`
    ^(gelesen|nicht gelesen|ungelesen):
  `,
  group('en', 'Outlook and Exchange')`
    ^(deleted|not read|read|read receipt):
  `,
  group('es', 'Outlook in this language')`
    ^(leído|no leído):
  `,
  group('fi', 'Outlook in this language')`
    ^(lukematta|luettu):
  `,
  group('fr', 'Outlook in this language')`
    ^(lu|non lu)[ ]:
  `,
  group('hu', 'Outlook in this language')`
    ^(elolvasva|nem olvasott):
  `,
  group('it', 'Outlook in this language')`
    ^(letto|non letto):
  `,
  group('nb', 'Outlook in this language')`
    ^(lest|ulest):
  `,
  group('nl', 'Outlook in this language')`
    ^(gelezen|niet gelezen):
  `,
  group('pl', 'Outlook in this language')`
    ^(nie przeczytano|przeczytano):
  `,
  group('pt', 'Outlook in this language')`
    ^(lida|lido|não lida):
  `,
  group('ru', 'Outlook in this language')`
    ^(не прочитано|прочитано):
  `,
  group('sv', 'Outlook in this language')`
    ^(läst|oläst):
  `,
  group('tr', 'Outlook in this language')`
    ^(okundu|okunmadı):
  `,
]);
