import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** "Does not exist", "was not found", "is closed". */
export const MISSING = new PhraseList([
  group('ar', 'usual wording of servers; not traced to one')`
    غير (صحيح|موجود)
    لم يتم العثور
  `,
  group('bg', 'Exchange in this language; usual wording of servers')`
    не (беше|бе) намерен
    не съществува
    неизвестен
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    nebyl[<letters>] nalezen
    nebyla nalezena
    nebylo nalezeno
    neexistuje
    nenalezen
    nepodařilo <20>najít
    neznám
  `,
  group('da', 'usual wording of servers; not traced to one')`
    blev ikke fundet
    findes ikke
    ikke [blev ](fundet|funnet)
    kunne ikke findes
    ukendt
  `,
  group('de', 'GMX, WEB.DE, Exchange; usual wording of servers')`
    deaktiviert
    existiert nicht
    gesperrt
    gibt es [hier ]kein
    kein (benutzer|konto|postfach)
    nicht (bekannt|existent|gefunden|vorhanden|[<40> ]aufgeführt)
    nicht (mehr gültig|gültig|existiert)
    unbekannt
    ungültig
  `,
  group('el', 'usual wording of servers; not traced to one')`
    άγνωστ
    δεν (βρέθηκε|εντοπίστηκε)
    δεν (βρέθηκε|υπάρχει)
  `,
  group('es', 'PHP-Bounce-Handler; usual wording of servers')`
    de(s|z)habilitad
    desactivad
    desconocid
    inexistente
    inv(a|á)lid
    no (es válid|se encontró|se encuentra)
    no [se ][ha ][sido ](encontr|pudo encontrar)
    no existe
    no válid
  `,
  group('fi', 'usual wording of servers; not traced to one')`
    ei (löydy|löytynyt|ole olemassa)
    ei (löydy|löytynyt|voitu löytää)
    tuntematon
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    désactivé
    inconnu
    inexistant
    introuvable
    invalide
    n'a pas été trouv
    n'est pas valide
    n'existe pas
    non (trouvé|valide)
  `,
  group('he', 'usual wording of servers; not traced to one')`
    לא (נמצא|נמצאה|קיים)
    לא נמצאה
  `,
  group('hr', 'Exchange in this language; usual wording of servers')`
    ne postoji
    nije pronađen
  `,
  group('hu', 'usual wording of servers; not traced to one')`
    ismeretlen
    nem (létezik|található)
    nem (található|létezik)
    nem sikerült megtalálni
  `,
  group('id', 'usual wording of servers; not traced to one')`
    tidak (ada|dikenal|ditemukan)
  `,
  group('it', 'usual wording of servers; not traced to one')`
    disabilitat
    impossibile trovare
    inesistente
    non (esiste|[è stat(a|o) ]trovat)
    non (è valid|trovat)
    non valid
    sconosciut
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    ありません
    ユーザーはいません
    不明
    存在しない
    存在しません
    見つからない
    見つかりません
    見つかりませんでした
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    알 수 없
    없는
    없습니다
    존재하지
    존재하지 않
    찾을 수 없
    찾을 수 없습니다
  `,
  group('nb', 'usual wording of servers; not traced to one')`
    ble ikke funnet
    fant ikke
    finnes ikke
    ukjent
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    bestaat niet
    kan niet worden gevonden
    niet (bekend|gevonden|worden gevonden)
    niet (gevonden|geldig)
    onbekend
    ongeldig
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    nie (istnieje|ma takiego|znaleziono)
    nie (można|udało się) (odnaleźć|znaleźć)
    nie istnieje
    nie znaleziono
    nie został[a|o] odnalezion
    nieprawidłow
    nieznan
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    desconhecid
    inexistente
    inválid
    n(a|ã)o encontrad
    não (existe|foi (encontrad|possível encontrar))
    não foi (encontrad|localizad)
    não é válid
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    necunoscut
    nu (a fost găsit|există)
    nu a (fost găsit|putut fi găsit)
    nu există
  `,
  group('ru', 'Mail.ru, Yandex; usual wording of servers')`
    заблокирован
    не (смогли|удалось) найти
    не найден
    не существует
    не удалось найти
    неверн
    недоступен
    неизвест
    нет такого
    отключ(е|ё)н
    такого <20>нет
    удал(е|ё)н
  `,
  group('sk', 'Exchange in this language; usual wording of servers')`
    nebol<letters> nájden
    neexistuje
    nenašl
  `,
  group('sl', 'Exchange in this language; usual wording of servers')`
    ne obstaja
    ni (bil|bilo) <10>(najden|mogoče najti)
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    finns inte
    hittades inte
    kunde inte hittas
    okänd
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    bilinmeyen
    bulunam(a|ı)
    bulunamadı
    geçersiz
    mevcut değil
    yok|
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    не (вдалося|удалося) знайти
    не зареєстрован
    не знайден
    не знайдено
    не існує
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    không (hợp lệ|tìm thấy|tồn tại)
    không (tìm thấy|tồn tại)
  `,
  group('zh', 'Coremail, NetEase 163, QQ; usual wording of servers')`
    不存在
    已(停用|冻结|注销|禁用)
    找不到
    无效
    无此
    有误
    未找到
    查无
    查無
    無效
    無此
  `,
]);
