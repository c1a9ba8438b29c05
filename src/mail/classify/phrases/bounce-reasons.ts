import { group, PhraseTable } from '../../phrases/phrase-table.ts';
import { ADDRESSEES } from './addressees.ts';
import { FULL, FULL_PLACES } from './full-mailboxes.ts';
import { MISSING } from './missing.ts';

/** A mailbox is full, in languages other than English. */
export const FOREIGN_MAILBOX_FULL = new PhraseTable(
  [
    group('any', 'the languages of the lists')`
      <full><40><place>
      <place><60><full>
    `,
    group('de', 'usual wording of servers; not traced to one')`
      speicherplatz
    `,
    group('ja', 'usual wording of servers; not traced to one')`
      容量オーバー
    `,
    group('zh', 'Coremail; public mailing lists')`
      容量(不足|已满|超出)
    `,
  ],
  { place: FULL_PLACES, full: FULL },
);

/** A recipient does not exist, in languages other than English. */
export const FOREIGN_NO_SUCH_RECIPIENT = new PhraseTable(
  [
    group('any', 'the languages of the lists')`
      <addressee><60><missing>
      <missing><40><addressee>
    `,
    group('de', 'Exchange Online: "ada was not found at example.com" in this language')`
      kein (benutzer|konto|postfach)
      wurde [auf |bei |in |unter ]<word> nicht gefunden
    `,
    group('es', 'Exchange Online: "ada was not found at example.com" in this language')`
      no se [ha ]encontr(ado|ó) <word> en
      no se [ha ]encontr(ado|ó) en
    `,
    group('fr', 'Exchange Online: "ada was not found at example.com" in this language')`
      est introuvable dans
      n'a pas été trouvé[e] (dans|sur|à)
      pas de bo(i|î)te
    `,
    group('it', 'Exchange Online: "ada was not found at example.com" in this language')`
      non è stat(a|o) trovat(a|o) (in|presso|su)
    `,
    group('ja', 'usual wording of servers; not traced to one')`
      で見つかりません
      該当する<12>ません
    `,
    group('nl', 'Exchange Online: "ada was not found at example.com" in this language')`
      (is|werd) niet gevonden (bij|in|op)
    `,
    group('pl', 'Exchange Online: "ada was not found at example.com" in this language')`
      nie znaleziono <word> w
    `,
    group('pt', 'Exchange Online: "ada was not found at example.com" in this language')`
      não foi encontrad(a|o) (em|no)
    `,
    group('ru', 'Exchange Online: "ada was not found at example.com" in this language')`
      не удалось найти <word> в
    `,
    group('zh', 'Exchange Online: "ada was not found at example.com" in this language')`
      在 <word> [中]找不到
      在 <word> [中|上]未找到
    `,
  ],
  { addressee: ADDRESSEES, missing: MISSING },
);
