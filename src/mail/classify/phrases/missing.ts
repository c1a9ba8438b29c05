import { group, PhraseList } from '../../phrases/phrase-table.ts';

/** "Does not exist", "was not found", "is closed". */
export const MISSING = new PhraseList([
  group('ar', 'usual wording of servers; not traced to one')`
    غير (صحيح|موجود)
    لم يتم العثور
  `,
  group('cs', 'usual wording of servers; not traced to one')`
    nebyl[<letters>] nalezen
    neexistuje
    nenalezen
    neznám
  `,
  group('da', 'usual wording of servers; not traced to one')`
    findes ikke
    ikke [blev ](fundet|funnet)
    ukendt
  `,
  group('de', 'GMX, WEB.DE, Exchange; usual wording of servers')`
    deaktiviert
    existiert nicht
    gesperrt
    nicht (bekannt|existent|gefunden|vorhanden|[<40> ]aufgeführt)
    unbekannt
  `,
  group('el', 'usual wording of servers; not traced to one')`
    άγνωστ
    δεν (βρέθηκε|υπάρχει)
  `,
  group('es', 'PHP-Bounce-Handler; usual wording of servers')`
    de(s|z)habilitad
    desactivad
    desconocid
    inexistente
    no [se ][ha ][sido ](encontr|pudo encontrar)
    no existe
  `,
  group('fi', 'usual wording of servers; not traced to one')`
    ei (löydy|löytynyt|ole olemassa)
    tuntematon
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    désactivé
    inconnu
    introuvable
    n'existe pas
  `,
  group('he', 'usual wording of servers; not traced to one')`
    לא (נמצא|נמצאה|קיים)
  `,
  group('hu', 'usual wording of servers; not traced to one')`
    ismeretlen
    nem (létezik|található)
  `,
  group('id', 'usual wording of servers; not traced to one')`
    tidak (ada|dikenal|ditemukan)
  `,
  group('it', 'usual wording of servers; not traced to one')`
    disabilitat
    inesistente
    non (esiste|[è stat(a|o) ]trovat)
    sconosciut
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    ありません
    不明
    存在しない
    存在しません
    見つからない
    見つかりません
  `,
  group('ko', 'usual wording of servers; not traced to one')`
    알 수 없
    없는
    없습니다
    존재하지
    찾을 수 없
  `,
  group('nb', 'usual wording of servers; not traced to one')`
    ble ikke funnet
    finnes ikke
    ukjent
  `,
  group('nl', 'usual wording of servers; not traced to one')`
    bestaat niet
    niet (bekend|gevonden|worden gevonden)
    onbekend
  `,
  group('pl', 'usual wording of servers; not traced to one')`
    nie (istnieje|ma takiego|znaleziono)
    nie został[a|o] odnalezion
    nieznan
  `,
  group('pt', 'usual wording of servers; not traced to one')`
    desconhecid
    n(a|ã)o encontrad
    não (existe|foi (encontrad|possível encontrar))
  `,
  group('ro', 'usual wording of servers; not traced to one')`
    necunoscut
    nu (a fost găsit|există)
  `,
  group('ru', 'Mail.ru, Yandex; usual wording of servers')`
    заблокирован
    не (смогли|удалось) найти
    не найден
    не существует
    недоступен
    неизвест
    отключ(е|ё)н
    удал(е|ё)н
  `,
  group('sv', 'usual wording of servers; not traced to one')`
    finns inte
    hittades inte
    okänd
  `,
  group('tr', 'usual wording of servers; not traced to one')`
    bilinmeyen
    bulunam(a|ı)
    mevcut değil
    yok|
  `,
  group('uk', 'usual wording of servers; not traced to one')`
    не зареєстрован
    не знайден
    не існує
  `,
  group('vi', 'usual wording of servers; not traced to one')`
    không (tìm thấy|tồn tại)
  `,
  group('zh', 'Coremail, NetEase 163, QQ; usual wording of servers')`
    不存在
    已(停用|冻结|注销|禁用)
    找不到
    无效
    有误
    未找到
    無效
  `,
]);
