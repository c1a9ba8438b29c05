import type { Certainty } from './grammar.ts';

/** The signs of a request in a language that does not write words apart, as regular expressions. */
interface Signs {
  /** A letter that only this language uses, or that it cannot do without. */
  readonly script: RegExp;
  /** The writer, their data, or the list that they are on. */
  readonly object: RegExp;
  /** To remove, with its object in the same clause. */
  readonly remove: RegExp;
  /** To unsubscribe, which needs no object. */
  readonly unsubscribe: RegExp;
  /** Not to write any more; to stop writing; not to want it. */
  readonly refuse: RegExp;
  /** To object to the use of data, to withdraw consent. */
  readonly law: RegExp;
  /** These make it no request: negation, condition, instruction, a rate, another's wish. */
  readonly unless: RegExp;
  /** A question how to do it. */
  readonly how: RegExp;
}

const KOREAN: Signs = {
  script: /\p{Script=Hangul}/u,
  object:
    /저를|저는|저희|제 |제발|우리|나를|나도|내 |개인 ?정보|개인 ?데이터|목록|명단|리스트|데이터베이스|연락처|회사 ?정보|수신자|발송|대상|캠페인|주소|계정/,
  remove: /삭제|제외|빼 ?[주줘]|빼세요|빼달|지워|제거|말소|파기|내려 ?주|없애/,
  unsubscribe:
    /수신 ?(?:을 )?(?:거부|차단|중단|해지|취소)|뉴스레터 ?(?:를 )?(?:해지|취소)|(?:구독|소식지) ?(?:을 )?(?:취소|해지|중단|철회|끊)|탈퇴|옵트 ?아웃|차단해 ?주/,
  refuse: new RegExp(
    '(?:메일|연락|광고|뉴스레터|소식지|스팸|문자|발송|전송|보내|홍보|소식|편지|권유).{0,14}(?:그만|중단|중지|보내지 ?(?:마|말|않)|하지 ?(?:마|말|않)|원하지 ?않|원치 ?않|싶지 ?않|사양|' +
      '싫|안 ?받|안 ?보내|말아|않으시면|바라지|받지 ?않|멈춰|멈추|끊어|필요 ?없|삼가|자제|거절|금지)|(?:그만|더는|더 이상|다시는).{0,10}(?:보내|연락|메일|귀찮|쓰지)|(?:쓰지|귀찮게 ?하지|괴롭히지) ?(?:마|말)|내버려|연락 ?주지|그만 ?좀|받고 ?싶지|(?:제안|접촉|권유).{0,8}(?:원하지|사양|바라지|거절)|(?:메일|연락).{0,10}(?:신고|변호사|고소)',
  ),
  law: /동의.{0,6}(?:철회|취소)|(?:정보|데이터).{0,10}(?:반대|이의|거부)|(?:처리|이용|활용).{0,6}(?:반대|이의|거부)/,
  unless:
    /회의|미팅|(?:삭제|제외|빼|취소|거부|해지|제거)\S{0,3}지 ?(?:마|말)|[율률]|클릭|으?시면|[다려]면 |경우|고객|실수로|받지 ?못|질문|까지는|전에는|있나요|수 있나|동료|계속 ?보내|우편|계약서|물건|전화하지|알아서|자동|버튼/,
  how: /방법|어떻게/,
};

const JAPANESE: Signs = {
  script: /[\p{Script=Hiragana}\p{Script=Katakana}]|配信|購読|退会|希望|登録/u,
  object:
    /私|わたし|僕|弊社|当社|当方|小社|自分|個人情報|個人データ|アドレス|リスト|名簿|登録|宛先|データベース|顧客情報|連絡先|配信|送信先|対象|キャンペーン|営業|アカウント/,
  remove: /削除|消去|抹消|外し|はずし|除外|消し|除いて|抜い/,
  unsubscribe:
    /(?:配信|購読|登録|会員|メルマガ|ニュースレター|送信|受信)(?:の|を|は|から)?(?:停止|解除|中止|解約|取り?消し?|取り消して|退会|キャンセル|拒否|ストップ|止め|やめ)|退会|オプトアウト|登録解除/,
  refuse: new RegExp(
    '(?:メール|連絡|送|配信|営業|接触|勧誘|案内|広告|DM|コンタクト|メルマガ|やり取り).{0,14}(?:ないで|控え|遠慮|やめ|止め|辞め|お?断り|不要|いりません|要りません|いらない|要らない|たくありません|たくない|' +
      'くるな|来るな|中止|停止|結構です|拒否|迷惑(?!フォルダ|メールフォルダ)|望ん(?:で|だ).{0,4}(?:ません|ない)|希望(?:いた|は)?(?:し|いたし)ません|もうたくさん|うんざり|使わない|ブロック|必要(?:あり|ござい)ません|許可した.{0,4}(?:ありません|ない)|通報|弁護士|訴え)|迷惑.{0,8}(?:やめ|止め|たくさん)|放っておいて|しつこ|(?:提案|受け取り?(?!っ)).{0,12}(?:ません|ない|お断り|不要)|もうやめ|(?:今後|もう|二度と).{0,12}(?:ないで|控え|遠慮|不要|結構)',
  ),
  law: /同意.{0,4}(?:撤回|取り?消)|(?:個人|データ|情報).{0,12}(?:異議|反対|拒否)|利用停止|(?:個人|データ|情報).{0,12}禁じ/,
  unless:
    /会議|打ち合わせ|ミーティング|(?:削除|消去|解除|停止|外)(?:し)?(?:さ|し)?ないで|削除は不要|率|の方は|方は、|場合は|クリック|できますか|お客様|顧客は|間違って|誤って|前に|前は|まで(?:は|に)|質問|してしまい|やめないで|大丈夫|同僚|契約書|見積|商品|請求書|ページ|自動|確認する|(?<!止め)られます/,
  how: /どう(?:すれば|やって|したら)|方法/,
};

const CHINESE: Signs = {
  script: /\p{Script=Han}/u,
  object:
    /(?:把|将|將|请|請|从|從|删除|刪除|移除)?我(?:们|們|司|方|公司)?|本人|(?:们|們)?的?(?:名单|名單)|列表|邮箱|郵箱|电邮|電郵|通讯录|通訊錄|数据库|資料庫|个人(?:信息|资料|数据)|個人(?:資訊|資料|數據)/,
  remove: /删除|刪除|移除|移出|去掉|剔除|清除|抹除|删掉|刪掉|拿掉|除名|注销|註銷|删了|去除|踢出|弄掉|排除/,
  unsubscribe: /退订|退訂|取消(?:订阅|訂閱|关注)|拒收|取消.{0,4}(?:订阅|訂閱)|没有?订阅.{0,6}取消/,
  refuse:
    /(?:不要|不用|别|別|勿|不想|不希望|不愿|不願|停止|不再|拒绝|拒絕|无需|無需|不必|禁止|不需要|不接受|少).{0,8}(?:发|發|寄|联系|聯繫|聯絡|联络|骚扰|騷擾|纠缠|糾纏|使用我|打扰|打擾|来信|來信|推送|收到|接收|邮件|郵件|广告|廣告|来电|信息轰炸|垃圾|写信|寫信|烦|煩|推销|推銷|提案|广告|打扰|欢迎|允许)|(?:垃圾|邮件|郵件|你们).{0,6}够了|(?:邮件|郵件|来信|信).{0,8}(?:不受欢迎|不受歡迎)|(?:再|下次).{0,4}(?:发|發|来信|写信).{0,6}(?:投诉|律师|举报|報警|报警)|希望.{0,8}(?:不要|别|勿|不).{0,4}(?:联系|聯絡)/,
  law: /(?:反对|反對|拒绝|拒絕|禁止).{0,12}(?:营销|行銷|处理|處理|使用|利用)|撤回.{0,6}同意|撤销.{0,4}(?:同意|授权)|撤銷.{0,4}(?:同意|授權)|同意.{0,4}撤/,
  unless:
    /会议|會議|(?:不要|别|別|勿|不用|不必).{0,8}(?:删除|刪除|移除|移出|退订|退訂|取消)|率|如果|若您|若不|如需|如不|点击|點擊|客户|客戶|不小心|误|誤|旧|舊|之前|以前|没有?收到|沒有?收到|随时|隨時|预约|别停|继续发|打电话|合同|同事|发货|多少|页面|自动|重复|問題|问题/,
  how: /怎么|怎麼|如何/,
};

const LANGUAGES: readonly Signs[] = [KOREAN, JAPANESE, CHINESE];

/** True for a text in Chinese, Japanese or Korean. */
export const isEastAsian = (text: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);

/** The names of the signs that a sentence in one of these languages has. */
export function signsOf(sentence: string): string[] {
  const text = sentence.normalize('NFKC');
  const { script: _, ...signs } = LANGUAGES.find(({ script }) => script.test(text)) as Signs;
  return Object.entries(signs).flatMap(([name, sign]) => (sign.test(text) ? [name] : []));
}

/** The certainty that a sentence in one of these languages asks for no more email; null for none. */
export function judgeEastAsian(sentence: string): Certainty | null {
  const text = sentence.normalize('NFKC');
  const signs = LANGUAGES.find(({ script }) => script.test(text)) as Signs;
  if (signs.unless.test(text)) return null;
  const isRequest = [
    signs.unsubscribe.test(text),
    signs.refuse.test(text),
    signs.law.test(text),
    text.split(/[,、，;]/).some((clause) => signs.remove.test(clause) && signs.object.test(clause)),
  ].includes(true);
  if (!isRequest) return null;
  return signs.how.test(text) || /[?？]\s*$/.test(text) ? 'likely' : 'certain';
}
