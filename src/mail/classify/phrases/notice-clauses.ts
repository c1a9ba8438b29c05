import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** First words of a greeting. */
export const GREETINGS = new PhraseTable([
  group('any', 'usual wording')`
    ^(bonjour|chère|cher|ciao|buongiorno|buonasera|gentile|egregio|salve|spettabile|madame|monsieur)|
    ^(bună|stimat|salut)
    ^(cześć|dzień dobry|szanown|dobrý den|dobrý deň|vážen)
    ^(dear|good (afternoon|day|evening|morning)|greetings|hello|hey|hi)|
    ^(estimad|hola|buenos|buenas|olá|oi|bom dia|boa tarde|caro|cara|prezad)
    ^(geachte|beste|goedendag|goedemorgen|goedemiddag)|
    ^(guten (abend|morgen|tag)|hallo|liebe|moin|sehr geehrte|servus|grüß)
    ^(hei|hej|hyvä|moi|kära|bästa|kjære|kære|god dag|goddag)|
    ^(kedves|tisztelt|szia|jó napot|tere|labdien|sveiki|laba diena)
    ^(merhaba|sayın|selam|iyi günler)
    ^(poštovani|pozdravljeni|spoštovani|dobar dan|zdravo)
    ^(γεια|αγαπητ|καλημέρα|καλησπέρα)
    ^(добр|здравейте|здравствуйте|уважаем|шановн|доброго|вітаю|привет)
    ^(אהלן|שלום|היי)
    ^(السلام|تحية|عزيز|مرحب)
    ^(お世話|こんにちは|안녕|您好|你好|尊敬)
  `,
]);

/** First words of a closing line. */
export const CLOSINGS = new PhraseTable([
  group('any', 'usual wording')`
    ^(atenciosamente|abraço|cumprimentos|obrigad|com os melhores)
    ^(beste grüße|besten|freundliche|gruß|grüße|herzliche|liebe grüße|mfg|mit (besten|freundlichen|herzlichen)|viele|vg|lg)
    ^(best|cheers|kind|regards|sincerely|thank you$|thanks|warm|with [best |kind ]regards|yours|many thanks)
    ^(bien (cordialement|à vous)|cordialement|cordiali|distinti|grazie|merci|saluti|un saludo|saludos|atentamente|gracias)
    ^(das|dein|euer|ihr|unser|the|your) <20>team
    ^(el equipo|het team|il team|je team|l'équipe|su equipo|uw team|votre équipe|zespół)
    ^(groet|hartelijke|met vriendelijke|mvg|vriendelijke|dank u)
    ^(hilsen|hälsningar|med [bästa |venlig |vänlig |vennlig ]h|mvh|vänliga|venlig|vennlig|bästa|vh|terveisin|ystävällisin|parhain)
    ^(pozdrawiam|z poważaniem|pozdrav|s pozdrav|lep pozdrav|lijep pozdrav|srdačan|s poštovanjem|s úctou|s lepimi)
    ^(üdvözlettel|köszönettel|cu (respect|stimă)|saygılarımla|iyi çalışmalar|teşekkürler|lugupidamisega|ar cieņu|pagarbiai)
    ^(με εκτίμηση|ευχαριστώ|поздрави|с уважением|с уважение|спасибо|з повагою|дякую)
    ^(בברכה|בתודה|تحياتي|مع (التحية|تحياتي)|شكر)
    ^(よろしく|敬具|감사합니다|祝好|谢谢|此致)
  `,
]);

/** "Thank you for your message." */
export const THANKS_FOR_MESSAGE = new PhraseTable([
  group('any', 'usual wording of absence notices and receipts')`
    (bedankt|dank|dankjewel) [u ][wel ]voor (je|uw|het)
    (dziękuj|díky|děkuj|ďakuj|hvala)<20>(wiadomoś|mail|zpráv|správ|poruc|sporočil|kontakt|upit)
    (grazie|obrigad|gracias|merci) <10>(averci|contat|contact|correo|e[-]mail|mail|messag|mensa|tuo|suo|votre|vostr)
    (köszön|kiitos|mulțum|teşekkür|täname|paldies|dėkoj)
    (tack|takk|tak) för
    (takk|tack|tak) for
    (vielen dank|danke|besten dank|herzlichen dank) für (deine|die|ihr|ihre|ihren|eure)
    (дякуємо|дякую|спасибо|благодарим|благодаря) (за|ви|вам)
    (感谢|谢谢)(您|你)
    (메일|문의)<8>감사
    thank[s] [you |so much |very much ](for|you for) (contacting|getting in touch|reaching out|writing|the|your)
    ευχαριστ(ούμε|ώ) (για|που)
    תודה על
    شكرا
    お問[い]合[わ]せ<6>ありがとう
    メール<6>ありがとう
  `,
]);

/** Sentences that a help desk adds to a receipt. An answer by its staff says more than that. */
export const HOW_TO_GO_ON = new PhraseTable([
  group('en', 'Zendesk, Freshdesk')`
    (enter|type|write) your reply above this line
    ^reply to this e[-]mail
    to (add|leave) [additional |more ](comments|information)
  `,
]);

/** Promises of an answer soon, by a team rather than one person: "we will get back to you shortly". */
export const ANSWER_SOON = new PhraseTable([
  group('any', 'receipts of help desks and contact forms')`
    (U|u) krijgt <40>antwoord
    (a|one of our|our) <30>(agent|colleague|expert|member|representative|specialist|team)[s] <40>(answer|be in touch|contact|follow[-| ]up|get back|reach out|reply|respond)
    (berücksichtig|bearbeit|beantwort|meld|kümmer)<60>(schnellstmöglich|so (bald|schnell) wie möglich|umgehend|in kürze|innerhalb von|zeitnah|baldmöglichst)
    (budeme|ozveme|odpov)<30>(kontaktovat|kontaktovať|ozveme|co nejdříve|čo najskôr|čoskoro|brzy)
    (dönüş yapacağız|size dönüş|yanıtlayacağız|iletişime geçeceğiz)
    (hamarosan|rövidesen|mielőbb|munkatársunk)<40>(válaszol|jelentkez|felvesz)
    (i|we)[ only][ will] (check|read) [my |our ](e[-]mail|inbox|mail) <20>(a day|daily|twice|once)
    (odgovorit ćemo|odgovorićemo|javit ćemo|kontaktirat ćemo|odgovorili bomo|kontaktirali vas bomo|odgovorili vam bomo)
    (odpowie|skontakt|odezw)<60>(jak najszybciej|najszybciej|wkrótce|w ciągu|niezwłocznie)
    (responder|contactar|contestar|atender|retornar|entrar)<60>(lo antes posible|a la mayor brevedad|em breve|breve|o mais (breve|rápido)|brevemente|possível)
    (risponder|ricontatter|contatter)<40>(prima possibile|più presto|breve|appena possibile)
    (répondr|recontacter|contacter|traiter|reviendr)<60>(meilleurs délais|plus brefs délais|plus vite|plus tôt|rapidement|sous)
    (schnellstmöglich|so (bald|schnell) wie möglich|umgehend|in kürze|zeitnah|baldmöglichst)<40>(meld|bearbeit|beantwort|antwort|kümmer)
    (we|you) <20>(answer|be in touch|contact you|get back|reply|respond|hear from us) <40>(as soon as|promptly|shortly|soon|within|earliest)
    (wij|we) <20>(nemen|beantwoorden|reageren|antwoorden)<40>(zo (snel|spoedig) mogelijk|binnen)
    (återkommer|vender tilbage|svarer|svarar|kontakter|kontaktar|vastaamme|otamme yhteyttä)<60>(inom|så (snart|fort)|hurtigst|innen|mahdollisimman|pian)
    (čoskoro|brzy|co nejdříve|čo najskôr)<30>(kontakt|odpov|ozveme)
    (ближайш|скор|течение|кратчайш)<40>(ответ|свяж)
    (відповімо|зв’яжемося|зв'яжемося)
    (ответим|свяжемся|ответит|свяжется)<40>(ближайш|скор|течение|кратчайш)
    (ще се свържем|ще отговорим|ще ви отговорим)
    (נחזור|ניצור|נענה) <20>(אליך|אליכם|קשר|לך)
    (سنرد|سنتواصل|سنعاود)
    (折り返し|改めて|追って|営業日以内)<20>(連絡|返信|回答)
    (营业日|工作日|尽快|儘快|盡快)<12>(回复|回覆|联系|聯繫|答复)
    (빠른 시일|확인 후|곧)<20>(답변|회신|연락)
    ^(is|are) [currently ]being (handled|looked into|processed|reviewed) by
    vom (răspunde|contacta|reveni)
    θα (επικοινωνήσουμε|απαντήσουμε|σας απαντήσουμε)
  `,
]);

/** "And" and "but" between two clauses. */
export const JOINS = new PhraseList([
  group('any', 'usual wording')`
    aber
    ale
    ama
    and
    but
    e
    et
    maar
    mais
    mas
    men
    mutta
    och
    og
    oraz
    pero
    sed
    und
    y
    αλλά
    και
    а
    але
    и
    но
    та
  `,
]);
