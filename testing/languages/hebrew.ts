import { language } from "./language";

export const hebrew = language(
  "he",
  {
    password: {
      title: "איפוס סיסמה",
      html: "<p>בדף הכניסה לחצו על «שכחתי סיסמה». נשלח אליכם קישור שתקף לשעה אחת. הסיסמה החדשה חייבת להכיל לפחות שנים עשר תווים.</p>",
    },
    invoice: {
      title: "הורדת חשבונית",
      html: "<p>כל החשבוניות זמינות כקובצי PDF בלשונית התשלומים. בעל החשבון מקבל אותן גם במייל בתחילת החודש.</p>",
    },
    export: {
      title: "ייצוא נתונים",
      html: "<p>קובץ הייצוא כולל את כל המאמרים בתבנית Markdown בתוך ארכיון דחוס. אם הקובץ גדול, נודיע לכם כשיהיה מוכן.</p>",
    },
    invite: {
      title: "הזמנת חברי צוות",
      html: "<p>הקלידו כתובת דוא״ל של חבר חדש ובחרו תפקיד. תוקף ההזמנה פג אחרי שבעה ימים. אורחים רשאים לקרוא, אך לא לשנות דבר.</p>",
    },
    quiet: {
      title: "השתקת התראות",
      html: "<p>קבעו באילו שעות לא להפריע לכם. בזמן הזה ההתראות ממתינות, ובבוקר מגיע סיכום אחד.</p>",
    },
    backup: {
      title: "גיבוי מסד הנתונים",
      html: "<p>בכל לילה נוצר גיבוי שנשמר שלושים יום. פעם בחודש כדאי לבדוק שאפשר לשחזר ממנו. שִׁמְרוּ עותק נוסף מחוץ למשרד.</p>",
    },
    key: {
      title: "חידוש מפתח API",
      html: "<p>צרו מפתח חדש, החליפו את הישן בתוכניות שלכם ואז בטלו אותו. מפתח לקריאה בלבד אינו יכול לשנות דבר.</p>",
    },
  },
  [
    { query: "סיסמה", finds: ["password"], first: true, only: true, why: "as it is written" },
    { query: "סִיסְמָה", finds: ["password"], first: true, only: true, why: "with niqqud" },
    { query: "מַפְתֵּחַ", finds: ["key"], first: true, only: true, why: "with niqqud" },
    { query: "שמרו", finds: ["backup"], first: true, only: true, why: "the text has niqqud" },
    { query: "מַפְתֵּחַ".normalize("NFD"), finds: ["key"], first: true, only: true, why: "niqqud in another order" },
    { query: "ייצוא נתונים", finds: ["export"], first: true, only: true, why: "two words" },
    { query: "נתונים", finds: ["export"], first: true, why: "another title has it behind an article" },
    { query: 'דוא"ל', finds: ["invite"], first: true, only: true, why: "a quotation mark for gershayim" },
    { query: "דוא״ל", finds: ["invite"], first: true, only: true, why: "gershayim" },
    { query: "התראות", finds: ["quiet"], first: true, only: true, why: "as it is written" },
    { query: "חברי צוות", finds: ["invite"], first: true, only: true, why: "two words of the title" },
    { query: "מפתח api", finds: ["key"], first: true, only: true, why: "two scripts" },

    { query: "חשבוינת", finds: ["invoice"], corrected: "חשבונית", why: "two letters changed places" },
    { query: "סיסמא", finds: ["password"], first: true, corrected: "סיסמה", why: "another way to spell it" },
    { query: "התארות", finds: ["quiet"], corrected: "התראות", why: "two letters changed places" },
    { query: "איפוס סיסהמ", finds: ["password"], corrected: "איפוס סיסמה", why: "one word is wrong" },
  ],
);
