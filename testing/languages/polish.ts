import { language } from "./language";

export const polish = language(
  "pl",
  {
    password: {
      title: "Resetowanie hasła",
      html: "<p>Na stronie logowania wybierz „Nie pamiętam hasła”. Wyślemy łącze, które działa przez godzinę. Nowe hasło musi mieć co najmniej dwanaście znaków.</p>",
    },
    invoice: {
      title: "Pobieranie faktury",
      html: "<p>Faktury w formacie PDF znajdziesz w zakładce Płatności. Właściciel konta otrzymuje je także pocztą elektroniczną na początku miesiąca.</p>",
    },
    export: {
      title: "Eksport danych",
      html: "<p>Eksport zawiera wszystkie artykuły w formacie Markdown, spakowane w jednym archiwum. Gdy trwa dłużej, damy Ci znać, że plik jest gotowy.</p>",
    },
    invite: {
      title: "Zapraszanie członków zespołu",
      html: "<p>Wpisz adres nowej osoby i wybierz jej rolę. Zaproszenie wygasa po siedmiu dniach. Goście mogą czytać, ale nie mogą niczego zmieniać.</p>",
    },
    quiet: {
      title: "Wyciszanie powiadomień",
      html: "<p>Podaj godziny, w których nie chcesz otrzymywać powiadomień. W tym czasie wiadomości czekają, a rano przychodzi jedno podsumowanie.</p>",
    },
    backup: {
      title: "Kopia zapasowa bazy danych",
      html: "<p>Kopia zapasowa powstaje każdej nocy i jest przechowywana przez trzydzieści dni. Raz w miesiącu sprawdź, czy da się ją przywrócić.</p>",
    },
    key: {
      title: "Odnawianie klucza API",
      html: "<p>Utwórz nowy klucz, zastąp nim stary w swoich programach, a potem go unieważnij. Klucz tylko do odczytu nie pozwala niczego zmienić.</p>",
    },
  },
  [
    { query: "hasło", finds: ["password"], first: true, only: true, why: "ł" },
    { query: "haslo", finds: ["password"], first: true, only: true, why: "ł without its stroke" },
    { query: "HASŁO", finds: ["password"], first: true, only: true, why: "capitals" },
    { query: "lacze", finds: ["password"], first: true, only: true, why: "ł without its stroke, ą without its tail" },
    { query: "ŁĄCZE", finds: ["password"], first: true, only: true, why: "capitals" },
    { query: "platnosci", finds: ["invoice"], first: true, only: true, why: "without any marks" },
    { query: "wlasciciel", finds: ["invoice"], first: true, only: true, why: "without any marks" },
    { query: "czlonkow zespolu", finds: ["invite"], first: true, only: true, why: "two words without marks" },
    { query: "powiadomien", finds: ["quiet"], first: true, only: true, why: "without its mark" },
    { query: "uniewaznij", finds: ["key"], first: true, only: true, why: "z for ż" },
    { query: "kopia zapasowa", finds: ["backup"], first: true, only: true, why: "two words" },

    { query: "zaprozsenie", finds: ["invite"], corrected: "zaproszenie", why: "two letters changed places" },
    { query: "właścicel", finds: ["invoice"], corrected: "właściciel", why: "a letter is missing" },
    { query: "wlascicel", finds: ["invoice"], corrected: "właściciel", why: "so, and without marks" },
    { query: "przwyorcic", finds: ["backup"], corrected: "przywrócić", why: "two edits, no marks" },
  ],
);
