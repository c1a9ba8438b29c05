import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "Message" and the like, at the start of the subject. */
export const MAIL = new PhraseList([
  group('en', 'the servers of FAILURE_SUBJECTS')`
    e[-]mail
    mail
    message
    your e[-]mail
    your mail
    your message
  `,
]);

/** "Failed" and the like, after "delivery". */
export const FAILED = new PhraseList([
  group('en', 'the servers of FAILURE_SUBJECTS')`
    error
    fail
    has failed
    incident
    notification
    problem
    report
    status
    unsuccessful
  `,
]);

/** English subjects of notices that a message was not delivered. Matched after the tags of lists and gateways are removed. */
export const FAILURE_SUBJECTS = new PhraseTable(
  [
    group('en', 'qmail, Yahoo: failure notice; Exchange, Lotus Notes: NDN, NDR; flufl.bounce')`
      ^automatically rejected
      ^could not (deliver|send)
      ^failed mail
      ^failed to deliver
      ^failure (delivery|notice)
      ^ndn|
      ^ndr|
      ^non[ |-]deliver(able|ed|y)
      ^not delivered
      ^rejected
    `,
    group('en', "Exim: Mail delivery failed; Postfix: Delivery Status; Sendmail, IMail, GroupWise; flufl.bounce, Exim's test suite")`
      ^(e[-]mail|mail|message)[ system] (bounced|could not|error|fail|not delivered|rejected|returned|undeliver|was not delivered)
      ^(e[-]mail|mail|message)[ system] status[ ][-][ ]undeliver
      ^[<mail>][ |-|:][ |-|:][ |-|:][system ]deliver(e|ey|y)[ |-][ |-][ |-]<failed>
      ^[<mail>][ |-|:][ |-|:][ |-|:][system ]delivery [sub]system[ |-][ |-][ |-]<failed>
    `,
    group(
      'en',
      'Sendmail: Returned mail; Postfix: Undelivered Mail; Exchange: Undeliverable; Gmail: Delivery Status Notification; BounceParser',
    )`
      |address not found|
      |bounce[d] (e[-]mail|mail|message)|
      |cannot be delivered|
      |could not be delivered|
      |delivery (error|failed|failure|problem)|
      |delivery status notification|
      |mail delivery (failed|failure|problem|system)|
      |mailbox [is ](full|over quota|unavailable)|
      |message (could not be delivered|delivery failure|not delivered|undeliverable)|
      |nondeliverable|
      |return to sender|
      |returned (e[-]mail|mail|message|to sender)|
      |returning message to sender|
      |unable to deliver|
      |undeliverable|
      |undeliverd|
      |undelivered|
      |unknown user|
      |user unknown|
      |was not delivered|
    `,
  ],
  { mail: MAIL, failed: FAILED },
);
