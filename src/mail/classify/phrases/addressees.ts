import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Address, user, mailbox or account: the things that may be missing. */
export const ADDRESSEES = new PhraseList([
  group('ar', 'usual wording of servers; not traced to one')`
    العنوان
    المستخدم
    المستلم
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    příjemc
    schránk
    uživatel
  `,
  group('da', 'usual wording of servers; not traced to one')`
    bruger
    modtager
  `,
  group('de', 'GMX, WEB.DE, Exchange; usual wording of servers')`
    adress
    benutzer
    empfaenger
    empfänger
    konto
    mailbox
    postfach
  `,
  group('el', 'usual wording of servers; not traced to one')`
    διεύθυνση
    παραλήπτη
    χρήστη
  `,
  group('es', 'usual wording of servers; not traced to one')`
    buz(o|ó)n
    casilla
    cuenta
    destinat(a|á)ri
    direcci(o|ó)n
    usu(a|á)ri
  `,
  group('fi', 'usual wording of servers; not traced to one')`
    osoite
    vastaanottaj
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    compte
    destinataire
    utilisateur
  `,
  group('he', 'usual wording of servers; not traced to one')`
    כתובת
    משתמש
    נמען
  `,
  group('hu', 'usual wording of servers; not traced to one')`
    címzett
    cím|
    felhasználó
  `,
  group('id', 'usual wording of servers; not traced to one')`
    alamat
    penerima
  `,
  group('it', 'usual wording of servers; not traced to one')`
    casella
    indirizzo
    utente
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    アカウント
    アドレス
    メールボックス
    ユーザ
    受信者
    宛先
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    계정
    메일함
    받는[ ]사람
    사용자
    수신자
    주소
  `,
  group('nb', 'usual wording of servers; not traced to one')`
    bruker
    mottaker
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    geadresseerde
    gebruiker
    ontvanger
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    adres
    skrzynk
    użytkownik
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    caixa
    conta|
    endere(c|ç)o
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    utilizator
  `,
  group('ru', 'Mail.ru, Yandex; flufl.bounce')`
    адрес
    получател
    пользовател
    почтов
    ящик
  `,
  group('sk', 'usual wording of servers; not traced to one')`
    používateľ
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    användare
    mottagare
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    alıcı
    hesap
    kullanıcı
    posta kutusu
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    користувач
    одержувач
    отримувач
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    người nhận
    địa chỉ
  `,
  group('zh', 'Coremail, NetEase 163, QQ; usual wording of servers')`
    信箱
    地址
    域名
    帐号
    帳號
    收件人
    收信人
    用戶
    用户
    账号
    邮箱
    郵箱
  `,
]);
