import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Sentences of a report that a message was delivered or relayed (RFC 3461: NOTIFY=SUCCESS). */
export const DELIVERED_SENTENCES = new PhraseTable([
  group('de', 'Exchange: Zugestellt, Weitergeleitet')`
    (erfolgreich|ordnungsgemäß) (weitergeleitet|zugestellt)
  `,
  group('en', 'Postfix: Successful Mail Delivery Report; Exchange: Delivered, Relayed; Exim and Sendmail: return receipts')`
    delivery status notification \((relay|success)\)
    successful mail delivery report
    successfully [been ](delivered|relayed)
    was successful
  `,
  group('es', 'Exchange in this language')`
    entregado correctamente
  `,
  group('fr', 'Exchange in this language')`
    correctement (distribu|remis)
  `,
]);
