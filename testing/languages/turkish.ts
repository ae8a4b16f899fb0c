import { language } from "./language";

export const turkish = language(
  "tr",
  {
    password: {
      title: "Şifre sıfırlama",
      html: "<p>Giriş sayfasında “Şifremi unuttum” bağlantısına tıklayın. Size bir saat geçerli bir bağlantı göndeririz. Yeni şifre en az on iki karakter olmalıdır.</p>",
    },
    invoice: {
      title: "Fatura indirme",
      html: "<p>Faturaların tümü Ödemeler bölümünde PDF olarak bulunur. Hesap sahibi bunları her ayın başında e-posta ile de alır.</p>",
    },
    export: {
      title: "Verileri dışa aktarma",
      html: "<p>Dışa aktarılan arşiv bütün makaleleri Markdown biçiminde içerir. İşlem uzun sürerse, dosya hazır olduğunda size haber veririz.</p>",
    },
    invite: {
      title: "Ekip üyesi davet etme",
      html: "<p>Kişinin adresini yazın ve bir rol seçin. Davet yedi gün sonra geçersiz olur. Konuklar okuyabilir ama hiçbir şeyi değiştiremez.</p>",
    },
    quiet: {
      title: "Bildirimleri sessize alma",
      html: "<p>Rahatsız edilmek istemediğiniz saatleri belirtin. Bu sürede iletiler bekletilir, sabah tek bir özet gelir.</p>",
    },
    backup: {
      title: "Veritabanı yedekleme",
      html: "<p>Her gece bir yedek alınır ve otuz gün saklanır. Yedeğin geri yüklenebildiğini ayda bir kez deneyin.</p>",
    },
    refund: {
      title: "İptal ve iade",
      html: "<p>Aboneliğinizi istediğiniz zaman iptal edebilirsiniz. Kalan günlerin ücreti on gün içinde iade edilir.</p>",
    },
  },
  [
    { query: "şifre sıfırlama", finds: ["password"], first: true, only: true, why: "ş and ı" },
    { query: "sifre sifirlama", finds: ["password"], first: true, only: true, why: "s for ş, i for ı" },
    { query: "ŞİFRE SIFIRLAMA", finds: ["password"], first: true, only: true, why: "capitals, with İ and I" },
    { query: "SIFRE SIFIRLAMA", finds: ["password"], first: true, only: true, why: "capitals of a plain keyboard" },
    { query: "iptal", finds: ["refund"], first: true, only: true, why: "İ in the title" },
    { query: "İPTAL", finds: ["refund"], first: true, only: true, why: "a dotted capital" },
    { query: "IPTAL", finds: ["refund"], first: true, only: true, why: "a capital without its dot" },
    { query: "dışa aktarma", finds: ["export"], first: true, only: true, why: "ı" },
    { query: "DIŞA AKTARMA", finds: ["export"], first: true, only: true, why: "I is a capital ı" },
    { query: "disa aktarma", finds: ["export"], first: true, only: true, why: "i for ı" },
    { query: "veritabani", finds: ["backup"], first: true, only: true, why: "i for ı at the end" },
    { query: "VERİTABANI", finds: ["backup"], first: true, only: true, why: "both capitals" },
    { query: "odemeler", finds: ["invoice"], first: true, only: true, why: "o for ö" },
    { query: "bağlant", finds: ["password"], first: true, only: true, why: "half a word, ğ" },

    { query: "bidlirimleri", finds: ["quiet"], corrected: "bildirimleri", why: "two letters changed places" },
    { query: "yedkeleme", finds: ["backup"], corrected: "yedekleme", why: "two letters changed places" },
    { query: "sifrlama", finds: ["password"], corrected: "sıfırlama", why: "a letter is missing, i for ı" },
  ],
);
