import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** Words for the thing that may be missing: address, user, mailbox, account. */
export const ADDRESSEES = new PhraseList([
  group('ar', 'usual wording of servers; not traced to one')`
    العنوان
    المستخدم
    المستلم
  `,
  group('bg', 'usual wording of servers; not traced to one')`
    адрес
    получател
    потребител
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    adresa
    adresát
    příjemc
    schránk
    uživatel
  `,
  group('da', 'usual wording of servers; not traced to one')`
    adresse
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
  group('en', 'usual wording of servers; not traced to one')`
    e[-]mail
  `,
  group('es', 'usual wording of servers; not traced to one')`
    buz(o|ó)n
    casilla
    correo
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
    adresse
    bo(i|î)te
    compte
    courrier
    destinataire
    utilisateur
  `,
  group('he', 'usual wording of servers; not traced to one')`
    כתובת
    משתמש
    נמען
  `,
  group('hr', 'usual wording of servers; not traced to one')`
    adresa
    korisnik
    primatelj
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
    destinatari
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
    adres
    geadresseerde
    gebruiker
    ontvanger
    postbus
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    adres
    adresat
    odbiorc
    skrzynk
    użytkownik
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    caixa
    conta|
    destinat(a|á)ri
    endere(c|ç)o
    usu(a|á)ri
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    adresa
    destinatar
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
    adresa
    používateľ
    príjemc
    schránk
  `,
  group('sl', 'usual wording of servers; not traced to one')`
    naslov
    prejemnik
    uporabnik
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    användare
    mottagare
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    adres
    alıcı
    hesap
    kullanıcı
    posta kutusu
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    адрес
    користувач
    одержувач
    отримувач
    скриньк
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    người nhận
    địa chỉ
  `,
  group('zh', 'Coremail, NetEase 163, QQ; usual wording of servers')`
    使用者
    信箱
    地址
    域名
    帐号
    帳號
    收件人
    收件者
    收信人
    用戶
    用户
    账号
    邮箱
    郵箱
  `,
]);
