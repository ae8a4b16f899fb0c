import { language } from "./language";

export const ukrainian = language(
  "uk",
  {
    password: {
      title: "Скидання пароля",
      html: "<p>На сторінці входу натисніть «Забули пароль?». Ми надішлемо посилання, яке діє одну годину. Новий пароль має містити щонайменше дванадцять символів.</p>",
    },
    invoice: {
      title: "Завантаження рахунка",
      html: "<p>Усі рахунки доступні у форматі PDF в розділі «Оплата». Власник облікового запису також отримує їх електронною поштою на початку місяця.</p>",
    },
    export: {
      title: "Експорт даних",
      html: "<p>Експорт містить усі статті у форматі Markdown в одному архіві. Якщо файл великий, ми повідомимо, коли він буде готовий.</p>",
    },
    invite: {
      title: "Запрошення учасників",
      html: "<p>Введіть адресу нового учасника й виберіть роль; ім'я вказувати не обов'язково. Запрошення дійсне сім днів. Гості можуть читати, але не можуть нічого змінювати.</p>",
    },
    quiet: {
      title: "Тихий режим сповіщень",
      html: "<p>Укажіть години, коли вас не слід турбувати. У цей час сповіщення накопичуються, а вранці надходить один лист із підсумком.</p>",
    },
    backup: {
      title: "Резервна копія бази даних",
      html: "<p>Щоночі створюється копія, яка зберігається тридцять днів. Раз на місяць перевіряйте, чи можна з неї відновити базу.</p>",
    },
    key: {
      title: "Заміна ключа API",
      html: "<p>Створіть новий ключ, вставте його у свої програми, а потім відкличте старий. Із ключем лише для читання нічого змінити не можна.</p>",
    },
  },
  [
    { query: "обов'язково", finds: ["invite"], first: true, only: true, why: "an apostrophe inside a word" },
    { query: "обов’язково", finds: ["invite"], first: true, only: true, why: "another apostrophe" },
    { query: "обовʼязково", finds: ["invite"], first: true, only: true, why: "an apostrophe that is a letter" },
    { query: "обовязково", finds: ["invite"], first: true, corrected: true, why: "without the apostrophe" },
    { query: "ім’я", finds: ["invite"], first: true, only: true, why: "a short word with an apostrophe" },
    { query: "сповіщення", finds: ["quiet"], first: true, only: true, why: "і" },
    { query: "СПОВІЩЕННЯ", finds: ["quiet"], first: true, only: true, why: "capitals" },
    { query: "тихий режим сповіщень", finds: ["quiet"], first: true, only: true, why: "й; Russian shares two words" },
    { query: "тихий режим", finds: ["quiet"], why: "й; Russian shares both words" },
    { query: "отримує їх", finds: ["invoice"], first: true, only: true, why: "ї" },
    { query: "отримує і\u0308х", finds: ["invoice"], first: true, only: true, why: "ї in two characters" },
    { query: "великий файл", finds: ["export"], first: true, only: true, why: "й, the words in another order" },

    { query: "рахнуки", finds: ["invoice"], only: true, corrected: "рахунки", why: "two letters changed places" },
    { query: "запрошеня", finds: ["invite"], only: true, corrected: "запрошення", why: "a letter is missing" },
    { query: "спвоіщення", finds: ["quiet"], only: true, corrected: "сповіщення", why: "two letters changed places" },
  ],
);
