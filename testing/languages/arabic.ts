import { language } from "./language";

export const arabic = language(
  "ar",
  {
    password: {
      title: "إعادة تعيين كلمة المرور",
      html: "<p>اضغط على «نسيت كلمة المرور» في صفحة الدخول. سنرسل إليك رابطًا صالحًا لمدة ساعة واحدة. يجب ألا تقل كلمة المرور الجديدة عن اثني عشر حرفًا.</p>",
    },
    invoice: {
      title: "تنزيل الفواتير",
      html: "<p>تجد جميع الفواتير بصيغة PDF في قسم المدفوعات. يتلقّى مالك الحساب نسخة منها بالبريد الإلكتروني في بداية كل شهر.</p>",
    },
    export: {
      title: "تصدير البيانات",
      html: "<p>يحتوي الملف المُصدَّر على كل المقالات بصيغة Markdown داخل أرشيف مضغوط. إذا كان الملف كبيرًا فسنخبرك عندما يصبح جاهزًا.</p>",
    },
    invite: {
      title: "دعوة الأعضاء",
      html: "<p>أدخل عنوان العضو الجديد واختر له دورًا. تنتهي صلاحية الدعوة بعد سبعة أيام. يستطيع الضيوف القراءة فقط ولا يمكنهم التعديل.</p>",
    },
    quiet: {
      title: "كتم الإشعارات",
      html: "<p>حدّد الساعات التي لا تريد أن يزعجك فيها أحد. تُحفظ الإشعارات خلال هذه المدة، ثم تصلك في الصباح رسالة واحدة تلخّصها.</p>",
    },
    backup: {
      title: "النسخ الاحتياطي لقاعدة البيانات",
      html: "<p>تُنشأ كل ليلة نسخة احتياطية وتُحفظ ثلاثين يومًا. تأكد مرة في الشهر من إمكانية استعادتها. تظهر آخر نسخة في أعلى القائمة.</p>",
    },
    key: {
      title: "تجديد مفتاح API",
      html: "<p>أنشئ مفتاحًا جديدًا وضعه في برامجك، ثم ألغِ المفتاح القديم. يمكنك الاطلاع على مستوى الصلاحيات في الإعدادات.</p>",
    },
  },
  [
    { query: "الفواتير", finds: ["invoice"], first: true, only: true, why: "as it is written" },
    { query: "فواتير", finds: ["invoice"], first: true, only: true, why: "without the article" },
    { query: "النسخة", finds: ["backup", "invoice"], why: "with an article that the text has not" },
    { query: "الرابط", finds: ["password"], first: true, only: true, why: "an article, and no harakat" },
    { query: "بيانات", finds: ["export", "backup"], only: true, why: "without the article" },
    { query: "كلمة المرور", finds: ["password"], first: true, only: true, why: "two words" },
    { query: "كَلِمَةُ المُرُورِ", finds: ["password"], first: true, only: true, why: "with harakat" },
    { query: "كلمه المرور", finds: ["password"], first: true, only: true, why: "ه for ة" },
    { query: "كلمة مرور", finds: ["password"], first: true, only: true, why: "without the article" },
    { query: "المصدر", finds: ["export"], first: true, only: true, why: "the text has harakat" },
    { query: "اعادة تعيين", finds: ["password"], first: true, only: true, why: "ا for إ" },
    { query: "الاعضاء", finds: ["invite"], first: true, only: true, why: "ا for أ behind the article" },
    { query: "أعضاء", finds: ["invite"], first: true, only: true, why: "أ, without the article" },
    { query: "اشعارات", finds: ["quiet"], first: true, only: true, why: "ا for إ, without the article" },
    { query: "الإشعـــارات", finds: ["quiet"], first: true, only: true, why: "drawn out by tatweel" },
    { query: "اخر نسخة", finds: ["backup"], first: true, only: true, why: "ا for آ" },
    { query: "احتياطى", finds: ["backup"], first: true, only: true, why: "ى for ي" },
    { query: "مستوي", finds: ["key"], first: true, only: true, why: "ي for ى" },
    { query: "دعوه", finds: ["invite"], first: true, why: "ه for ة" },
    { query: "يتلقى", finds: ["invoice"], first: true, only: true, why: "without its shadda" },
    { query: "مفتاح API", finds: ["key"], first: true, only: true, why: "two scripts" },

    { query: "الفوايتر", finds: ["invoice"], first: true, corrected: true, why: "two letters changed places" },
    { query: "البياانت", finds: ["export", "backup"], corrected: true, why: "two letters changed places" },
    { query: "الإعدادت", finds: ["key"], first: true, corrected: true, why: "a letter is missing" },
    { query: "إشعارت", finds: ["quiet"], first: true, corrected: true, why: "a letter is missing" },
    { query: "الاحتيطاي", finds: ["backup"], first: true, corrected: true, why: "two letters changed places" },
    { query: "مضغطو", finds: ["export"], corrected: "مضغوط", why: "two letters changed places" },
  ],
);
