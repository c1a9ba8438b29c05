import { lexicon } from './lexicon.ts';

export const EN = lexicon('en', {
  remove: `
      remove delete erase strike removing deleting erasing purge scrub wipe exclude deletion removal erasure expunge
      forget lose suppress unlist delist wiping scratch cancel cancelling removes deletes rmv rmove remov remve delet
      dlt ditch disenroll bin binned deactivate disable
    `,
  removed: 'removed deleted erased dropped excluded struck suppressed forgotten rmvd purged',
  unsubscribe: `
      unsub unsubscrib* unsubcrib* unsuscrib* unsubscrb* opt_out opting_out opt_me_out opt_us_out opted_out optout opt-out
      cancel_subscription cancel_my_subscription cancel_our_subscription un_subscribe unsubs unsubsribe unsbscribe
      unsubscibe unsubcribe remove_subscription
    `,
  take: 'take taken taking get pull drop kick throw keep leave cross',
  off: 'off out of from',
  stop: `
      stop stopp cease quit desist discontinue refrain end halt enough stopping stops avoid ceasing refraining ceases
      knock_it cut_it spare if_you_stopped if_you_would_stop if_you_could_stop if_you_stop if_you_ceased
      stopped_please cut_it_out lay_off
    `,
  send: `
      send sending write writing contacting contacted emailing emailed mailing_me mailing_us bother bothering disturb
      pester pestering harass harassing spamming reach_out approach solicit soliciting solicited bombard bombarding
      hassle contacts reaching_out get_in_touch be_in_touch following_up follow_up bugging bug approached sends sent
      flood flooding write_to ping pinging nag nagging chase chasing hounding hound badgering badger poking poke trouble troubling
    `,
  call: 'call calling phone phoning text texting',
  receive: 'receive receiving get getting hear hearing be_on',
  want: `
      want wish desire like would_like care interested ensure make_sure demand require wanna ask asks asking welcome
      wants expect urge insist asked requested requesting requesting_that
    `,
  not: "not no never don't dont doesn't didn't cannot can't nor neither won't wouldn't didnt wont",
  again: 'again anymore any_more more further ever longer additional other future any another',
  mail: `
      mails emails e-mails messages newsletter newsletters correspondence follow_up follow_ups followup followups
      communication communications ads adverts advertising advertisements solicitations junk mailings mailshots
      promotions marketing outreach crap nonsense rubbish garbage pitches offers proposals sales_pitch sales_pitches
      emailings mailing contacts pitch letters texts updates stuff things ones reminders reminder
    `,
  mailing: 'email e-mail mail contact message spam',
  me: 'me us myself ourselves',
  my: 'my our mine',
  data: `
      data address addresses details name names information info number record profile company organisation organization
      business firm office inbox mailbox domain entry staff employees colleagues team people board management leadership
      director email mail mails emails
    `,
  list: `
      list lists database databases mailing_list mailing_lists mailinglist distribution crm system systems file files
      records contacts sequence campaign campaigns cadence books directory audience marketing subscription subscriptions
      mailer send_list updates everything
    `,
  your: 'your yours this these that those whatever every all any each you',
  filler: `
      please pls plz kindly thanks thank thx you the a an it at all now immediately asap here so and also just
      from_now_on hi hello dear regards best cheers sorry yes no_thanks could can would will to for right_away today
      again by in future us at_once promptly permanently forthwith hereby ok okay i we am are is do be or mind ask
      request must if_possible finally already really got have with on personal e-mail email both completely entirely
      team sir madam formal formally politely respectfully person else anything what see used left one point sense use
      has been such not_a_fit bit were was should may thankful need needs being had having he she they them there then
      very simply still two some every each which who that than as into onto over about these absolutely seriously
      honestly frankly clearly immediate effect account behalf whole entire once twice third time times day week month
      year keep keeps kept continue continuing whoever somebody someone everyone consider thing
    `,
  if: 'if unless whenever should_you in_case',
  instruct: 'click link below reply respond answer visit button footer page preferences instructions',
  i: "i we i'll we'll i'd we'd i'm i've",
  be: 'be been being',
  how: 'how where way',
  could: 'could would can possible mind appreciate grateful glad obliged happy thankful rather prefer',
  object: `
      sick fed_up tired_of unwanted unwelcome unsolicited object objecting oppose objection forbid decline refuse reject
      prohibit report complaint sue lawyer lawyers ico solicitor
    `,
  withdraw: 'withdraw withdrawing revoke revoking rescind withdrawal',
  consent: 'consent permission consented',
  processing: 'processing use using process storage storing marketing profiling used uses',
  right: 'right rights article art gdpr ccpa request formal',
  but: `
      doesnt didnt cannot cant couldnt isnt wasnt but any_time anytime instead until before till after yet only except
      not_yet unless waiting wait because since though old agenda thread cc invite invitation invoice order meeting call
      webinar event conference said hesitate first
    `,
  block: `
      do_not_contact_list do_not_mail_list do_not_email_list do_not_call_list donotcontact blacklist blocklist
      block_list suppression_list suppression opt-out_list dnc block bar
    `,
  split: 'and then so or',
  idioms: [
    '(?:leave|let) (?:me|us) (?:alone|in peace|be(?! [a-z]))(?: now)?',
    'f\\S{0,4} off',
    'get lost',
    'go away',
    '(?:piss|buzz|bugger|sod|bug|back) off',
    '(?:i|we) want out',
    '(?:get|stay|keep) (?:out of|away from) (?:my|our) (?:inbox|mailbox|mail)',
    'leave (?:my|our) inbox alone',
    '(?:find|pick|look for) (?:yourself |yourselves )?(?:another|some other|a different|someone else to) (?:victim|sucker|fool|target|bother|spam|pester|annoy)',
    '(?:bother|spam|pester|annoy|harass|hassle|bug) (?:some|any)(?:one|body) else',
    'take (?:a|the) hint',
    'no means no',
    '(?:enough already|enough is enough)',
    'give it a rest',
    '(?:sick|tired|fed up|sick and tired) (?:of|with) (?:all )?(?:your|these)(?: constant| endless)? (?:e?mails?|messages|spam|followups|newsletters?|mailings?)',
  ],
});
