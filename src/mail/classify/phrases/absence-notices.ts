import { group, PhraseTable } from '../../phrases/phrase-table.ts';

/** Sentences of absence notices that are rare in replies from people: whom to contact instead, and that nobody reads this mailbox now. */
export const NOTICE_SENTENCES = new PhraseTable([
  group('ar', 'usual wording')`
    عاجل
  `,
  group('cs', 'usual wording')`
    naléhav
    v mé nepřítomnosti
  `,
  group('da', 'usual wording')`
    haster
    i mit fravær
  `,
  group('de', 'usual wording')`
    (nicht|nur) <30>(gelesen|weitergeleitet|zugriff)
    dringend
    in meiner abwesenheit
    keinen zugriff
    lese keine e[-]mails
    meine vertretung
    nach meiner rückkehr
    vertritt mich
    wenden sie sich
  `,
  group('en', 'alaveteli, SpamAssassin corpus')`
    (answer|attend|deal|get back|reply|respond) (to|with) (all|it|this|you|your)<40>(after|as soon as|on|upon|when)<20>(back|return)
    (for|if|if it's|in|with) [an |any |really |very ](emergenc|immediate|urgent)
    (infrequent|intermittent|limited|no|restricted|sporadic) [or no ]access to [my ](e[-]mail|mail|messages)
    (this|your) (e[-]mail|message) will not be (forwarded|read)
    during (my|this) (absence|period|time)
    in my absence
    not (checking|reading) [any |my ]e[-]mail
    please (contact|direct|forward|refer)<not  me|><not  us|>
    please (e[-]mail|write to) <30>(@|colleague)
  `,
  group('es', 'usual wording')`
    (puede usted|puede[n]) contactar
    a mi (regreso|vuelta)
    acceso limitado
    en mi ausencia
  `,
  group('fi', 'usual wording')`
    kiireellis
    poissaoloni aikana
  `,
  group('fr', 'usual wording')`
    accès limité
    contact(ar|e)_
    en mon absence
    n'hésitez pas à contacter
    urgence
    urgent
    veuillez contacter
    à mon retour
  `,
  group('he', 'usual wording')`
    דחוף
  `,
  group('hu', 'usual wording')`
    sürgős
  `,
  group('it', 'usual wording')`
    accesso limitato
    al mio rientro
    in mia assenza
    per urgenze
  `,
  group('ja', 'usual wording')`
    お急ぎ
    不在中
    代わりに
    戻り次第
    緊急
  `,
  group('ko', 'usual wording')`
    급한
    긴급
  `,
  group('nb', 'usual wording')`
    under mitt fravær
  `,
  group('nl', 'usual wording')`
    bij mijn terugkomst
    spoed
    tijdens mijn afwezigheid
  `,
  group('pl', 'usual wording')`
    ograniczony dostęp
    pilnych spraw
    podczas mojej nieobecności
    w pilnych
  `,
  group('pt', 'usual wording')`
    na minha ausência
    no meu regresso
  `,
  group('ro', 'usual wording')`
    urgențe
    în lipsa mea
  `,
  group('ru', 'usual wording')`
    в мо(е|ё) отсутствие
    ограничен<20>доступ
    срочн
  `,
  group('sv', 'usual wording')`
    begränsad tillgång
    brådskande
    under min frånvaro
  `,
  group('tr', 'usual wording')`
    acil durum
  `,
  group('uk', 'usual wording')`
    терміново
  `,
  group('zh', 'usual wording')`
    如有急
    急事
    紧急
    緊急
    請聯繫
    请联系
  `,
]);
