import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Requests for no more email, where they are the whole message. */
export const REMOVAL_ALONE = new PhraseList([
  group('ar', 'usual wording')`
    إلغاء الاشتراك
    الغاء الاشتراك
  `,
  group('cs', 'usual wording')`
    odhlaste mě
    odhlásit
  `,
  group('da', 'usual wording')`
    afmeld[ mig]
  `,
  group('de', 'usual wording')`
    abbestellen
    abmelden
    abmeldung
    austragen[ bitte]
    keine (e[-]mails|mails|werbung|weiteren (e[-]mails|mails|nachrichten))[ mehr]
    löschen sie mich
    stopp
  `,
  group('en', 'usual wording')`
    cancel subscription
    delete me
    leave me alone
    no more (e[-]mail[s]|messages)[ please]
    opt[ |-]out[ me][ of (all|any|further|future|these|your) <30 in sentence>]
    remove[ me| us][ now]
    stop
    stop (e-mailing|emailing|it|mailing|sending|spamming)[ me]
    take me off
    un-subscribe
    unsub
    unsubscribe[ me][ now]
    unsubscribed
  `,
  group('es', 'usual wording')`
    baja
    cancelar [la ]suscripci(o|ó)n
    d(e|é)me de baja
    dar de baja
    darme de baja
    eliminar
    no m(a|á)s (correos|emails)
    quiero darme de baja
  `,
  group('fi', 'usual wording')`
    peruuta tilaus
    poista
  `,
  group('fr', 'usual wording')`
    arr(e|ê)tez
    d(e|é)sabonnement
    d(e|é)sabonner
    d(e|é)sinscri(ption|re)
    me d(e|é)sabonner
    me d(e|é)sinscrire
  `,
  group('he', 'usual wording')`
    הסר אותי
    הסר[ה]
    להסיר
  `,
  group('hu', 'usual wording')`
    leiratkozom
    leiratkozás
  `,
  group('it', 'usual wording')`
    annulla [l']iscrizione
    cancellami
    cancellatemi
    cancellazione
    disiscriv(ere|etemi|i|imi)
    rimuovetemi
    rimuovimi
  `,
  group('ja', 'usual wording')`
    解除
    購読解除
    退会
    配信停止
    配信解除
  `,
  group('ko', 'usual wording')`
    구독[ ]취소
    수신[ ]거부
  `,
  group('nb', 'usual wording')`
    avmeld
    meld meg av
  `,
  group('nl', 'usual wording')`
    afmelden
    schrijf mij uit
    uitschrijven
    uitschrijving
  `,
  group('pl', 'usual wording')`
    rezygnuję
    wypisać
    wypisz[ mnie]
  `,
  group('pt', 'usual wording')`
    anular [a ]subscri(c|ç)(a|ã)o
    cancelar [a ]inscri(c|ç)(a|ã)o
    cancelar [a ]subscri(c|ç)(a|ã)o
    descadastrar
    n(a|ã)o [quero ]mais e-mails
    n(a|ã)o [quero ]mais emails
    remover
    sair da lista
  `,
  group('ro', 'usual wording')`
    dezabonare
  `,
  group('ru', 'usual wording')`
    отписаться
    отписка
    отпишите[ меня]
  `,
  group('sv', 'usual wording')`
    avprenumerera
    avregistrera
    avsluta prenumeration
  `,
  group('tr', 'usual wording')`
    abonelikten çık
    listeden çık[ar]
    çıkar
  `,
  group('uk', 'usual wording')`
    відписатися
  `,
  group('zh', 'usual wording; "TD" stands for 退订')`
    td
    不要再发[了]
    取消訂閱
    取消订阅
    退訂
    退订
  `,
]);
