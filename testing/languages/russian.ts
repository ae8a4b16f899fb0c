import { language } from "./language";

export const russian = language(
  "ru",
  {
    password: {
      title: "Сброс пароля",
      html: "<p>На странице входа нажмите «Забыли пароль?». Мы пришлём ссылку, которая действует один час. Новый пароль должен содержать не менее двенадцати символов.</p>",
    },
    invoice: {
      title: "Как скачать счёт",
      html: "<p>Все счета доступны в формате PDF в разделе «Оплата». Владелец учётной записи также получает их по электронной почте в начале месяца.</p>",
    },
    export: {
      title: "Экспорт данных",
      html: "<p>Экспорт содержит все статьи в формате Markdown в одном архиве. Если файл большой, мы сообщим, когда он будет готов.</p>",
    },
    invite: {
      title: "Приглашение участников",
      html: "<p>Введите адрес нового участника и выберите роль. Приглашение действует семь дней. Гости могут читать, но не могут ничего менять.</p>",
    },
    quiet: {
      title: "Тихий режим уведомлений",
      html: "<p>Укажите часы, когда вас не следует беспокоить. В это время уведомления накапливаются, а утром приходит одно письмо со сводкой.</p>",
    },
    backup: {
      title: "Резервная копия базы данных",
      html: "<p>Каждую ночь создаётся резервная копия, которая хранится тридцать дней. Раз в месяц проверяйте, можно ли восстановить из неё базу.</p>",
    },
    key: {
      title: "Замена ключа API",
      html: "<p>Создайте новый ключ, подставьте его в свои программы, а затем отзовите старый. С ключом только для чтения ничего изменить нельзя.</p>",
    },
    report: {
      title: "Отчёт о просмотрах",
      html: "<p>Он показывает, какие статьи читали чаще всего за последнюю неделю. Цифры обновляются каждый час.</p>",
    },
  },
  [
    { query: "отчёт", finds: ["report"], first: true, only: true, why: "ё" },
    { query: "отчет", finds: ["report"], first: true, only: true, why: "е for ё" },
    { query: "ОТЧЕТ", finds: ["report"], first: true, only: true, why: "capitals, Е for Ё" },
    { query: "пришлем", finds: ["password"], first: true, only: true, why: "е for ё in the text" },
    { query: "счет", finds: ["invoice"], first: true, only: true, why: "е for ё, and the plural" },
    { query: "учетной записи", finds: ["invoice"], first: true, only: true, why: "е for ё in the text" },
    { query: "уведомления", finds: ["quiet"], first: true, only: true, why: "a word of the text" },
    { query: "ЭКСПОРТ", finds: ["export"], first: true, only: true, why: "capitals" },
    { query: "тихий", finds: ["quiet"], why: "й" },
    { query: "тихии\u0306 режим уведомлений", finds: ["quiet"], first: true, only: true, why: "й in two characters" },
    { query: "новый пароль", finds: ["password"], why: "й at the end of a word" },
    { query: "резервн", finds: ["backup"], why: "half a word" },
    { query: "забыли пароль?", finds: ["password"], first: true, why: "quotes in the text" },
    { query: "ключ api", finds: ["key"], why: "two scripts" },
    { query: "файл большой", finds: ["export"], first: true, only: true, why: "й" },

    { query: "парлоь", finds: ["password"], corrected: "пароль", why: "two letters changed places" },
    { query: "экспотр", finds: ["export"], first: true, corrected: "экспорт", why: "two letters changed places" },
    { query: "уведомлени", finds: ["quiet"], first: true, why: "not misspelt, only half typed" },
    { query: "пригласшение", finds: ["invite"], corrected: "приглашение", why: "a letter too many" },
    { query: "пригалшенеи", finds: ["invite"], corrected: "приглашение", why: "two edits" },
    { query: "пришелм", finds: ["password"], corrected: "пришлём", why: "two letters changed places, е for ё" },
    { query: "Сброс парлоя", finds: ["password"], corrected: "Сброс пароля", why: "one word is wrong" },
  ],
);
