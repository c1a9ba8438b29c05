import { lexicon } from './lexicon.ts';

export const TR = lexicon('tr', {
  remove: `
      sil silin siliniz silmeniz* silinme* silinsin kaldır* çıkar çıkarın çıkarınız çıkartın* çıkarılma* çıkarmanız*
      silinmesi* çıkarılmak çıkart silmenizi çıkarılsın kaldırılma* unutun çıkarabil* çıkarılmayı silebil* çıkar*
      yok_edin çıkarmayın* silmeyin* kaldırmayın* silinmesini listeden_atın listenizden_atın beni_atın bizi_atın siler
      atın_beni atin_beni atın_bizi
    `,
  unsubscribe: `
      abonelikten_çık* aboneliğimi_iptal* aboneliği_iptal* üyeliğimi_iptal* üyelikten_çık* abonelik_iptal*
      aboneliğimi_sonlandır* listeden_çık listeden_çıkar listeden_çıkarın listeden_çıkmak listeden_çıkart*
      abonelikten_ayrıl* üyeliği_iptal* çıkabilirim çıkmak_istiyor* ayrılmak_istiyor* aboneliğimi_son*
      abonelik*_sonlandır*
    `,
  stop: `
      bırak* kes* dur* yeter son stop vazgeç* durdurun keser kaçın* vazgeçin* sonlandır* bırakın* bırakın kesin durun
      son_ver* vermeniz
    `,
  send: `
      göndermeyin* yazmayın* aramayın* atmayın* yollamayın* geçmeyin* iletmeyin* ulaşmayın* gönder* yaz* iletişim*
      rahatsız* at atma* spam* yolla* mailleş* taciz* ulaş* yazmay* göndermey* ulaşmay* yazmak göndermek bombardıman*
      sıkıştır* uğraş* uğraştır* ısrar* yazma* gönderme
    `,
  call: 'ara*',
  receive: 'al* alma* almak duymak gelmesin*',
  want: `
      istiyor* istemiyor* istemiyoruz istemem isti* talep rica ediyorum ihtiya* hoş istiyorum istiyoruz bekli* ısrarla
      rica_ederim
    `,
  not: `
      istemiyor* göndermeyin* yazmayın* aramayın* etmeyin* atmayın* geçmeyin* yollamayın* hayır istemem ulaşmayın*
      göndermeyi_bırak* gelmesin* istemiyoruz gondermeyin* yok iletmeyin* göndermezse* göndermemen* yazma* göndermeme* aramama*
      atmama* yazmaz* gönderme çıkarmayın* silmeyin* kaldırmayın*
    `,
  again: 'daha artık bir_daha başka bundan böyle sonra fazla asla tekrar yeni hiçbir',
  mail: 'mail* e-posta* eposta* reklam* mesaj* bülten* spam* ileti* posta* teklif* tanıtım* kampanya* öneri* hatırlat*',
  me: 'beni bana bizi bize benimle bizimle benim bizleri',
  my: 'benim bizim',
  mydata: `
      verilerim* verilerimiz* adresim* adresimiz* bilgilerim* bilgilerimiz* kaydım* numaram* e-postam* mailim* ismim* adım*
      kaydımız* hesabım* şirketim*
    `,
  data: 'veri verileri* adres* kişisel bilgi* kayıt* yönetim* kurul* hesab*',
  list: 'liste* veri_taban* veritaban* sistem* abone* kayıt* üyelik* rehber* sisteminiz* kampanya*',
  your: 'sizden sizin bu şu tüm bütün hepsini sizinle',
  filler: `
      lütfen teşekkür* derhal hemen merhaba selam saygılar* iyi günler bir de da ve için edin ederim ediyorum kişisel
      ilgilenmiyorum kvkk uyarınca gereği artık ben biz olarak şimdi lutfen ilgilenmiyoruz e eder mevcut tamamen rica
      acilen şey bu_tür tür ne yapmalıyım ederiz etsem mu mü mi burada karşılan* böyle sonraki son kez firmamızı emekli
      oldum yanlış kişi oldu idi üçüncü ikinci kere gün hafta gerçekten sadece_ki çok zaten öyle buna şunu şunları bunları söylüyorum gerek çünkü biri her_zaman
      arasında ayrıca açıkça acil tamamı kendi nasıl ki bunu bunlar olan ile size sizi değil böylece lütfen_artık şunu
      sadece etmeyin
    `,
  if: 'eğer istemiyorsanız isterseniz',
  instruct: 'tıkla* link* yanıtla* cevap',
  i: 'ben biz',
  how: 'nasıl nereden',
  could: 'lütfen mümkün* misiniz mısınız rica minnettar* sevin* memnun* gönderebil* etsem',
  object: 'bıkt* istenmeyen istenmiyor itiraz* karşı redded* yasakl* avukat* şikayet* ret_hakkım* ret_hakkı',
  withdraw: 'geri_çek* geri_al* geri',
  consent: 'onay* rıza* izn* onayım* iznim* rızam*',
  processing: 'işlen* kullan* pazarlama*',
  right: 'hakk* madde* kvkk gdpr',
  take: 'at',
  but: `
      önce kadar_beklet toplantı* fatura* sipariş* tekliften teklif_ madde eski yanlışlıkla müşteri* pazartesi salı
      çarşamba perşembe cuma oranı çekinm* biri beş ilk bırakmay*
    `,
  block: 'kara_liste* engelle* kapat*',
  split: 've veya',
  idioms: [
    '(?:beni |bizi |calisanlarimizi )?rahatsiz etmey(?:in|iniz|i birak\\S*)',
    '(?:beni|bizi) (?:artik |bir )?rahat birak\\S*',
    '(?:beni|bizi) (?:artik )?rahatsiz etme(?:yin|yiniz)?',
    'rahat birak(?:in|iniz)(?: artik)?',
    '(?:dus\\S* yakam\\S*|yakam\\S* (?:birak|dus)\\S*)',
    'basimdan gid\\S*',
    'baskasini rahatsiz ed\\S*',
    'baska (?:kurban|enayi) bul\\S*',
    'baska kapiya',
    'biktim (?:artik )?(?:mail|mesaj|posta)\\S*',
    '(?:mail|mesaj|posta)lar?\\S* biktim',
    'israr etme(?:yin|yiniz)(?: artik)?',
    'defol\\S*',
  ],
});
