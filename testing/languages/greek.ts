import { language } from "./language";

export const greek = language(
  "el",
  {
    password: {
      title: "Επαναφορά κωδικού πρόσβασης",
      html: "<p>Στη σελίδα σύνδεσης πατήστε «Ξέχασα τον κωδικό μου». Θα σας στείλουμε έναν σύνδεσμο που ισχύει για μία ώρα. Ο νέος κωδικός πρέπει να έχει τουλάχιστον δώδεκα χαρακτήρες.</p>",
    },
    invoice: {
      title: "Λήψη τιμολογίου",
      html: "<p>Όλα τα τιμολόγια είναι διαθέσιμα σε μορφή PDF στην ενότητα Χρεώσεις. Κάθε γραμμή αναφέρει το προϊόν και την τιμή του. Ο κάτοχος του λογαριασμού τα λαμβάνει και με ηλεκτρονικό ταχυδρομείο.</p>",
    },
    export: {
      title: "Εξαγωγή δεδομένων",
      html: "<p>Η εξαγωγή περιέχει όλα τα άρθρα σε μορφή Markdown μέσα σε ένα συμπιεσμένο αρχείο. Αν το αρχείο είναι μεγάλο, θα σας ενημερώσουμε μόλις είναι έτοιμο.</p>",
    },
    invite: {
      title: "Πρόσκληση μελών",
      html: "<p>Γράψτε τη διεύθυνση του νέου μέλους και επιλέξτε έναν ρόλο. Η πρόσκληση λήγει μετά από επτά ημέρες. Οι επισκέπτες μπορούν να διαβάζουν, αλλά όχι να αλλάζουν κάτι.</p>",
    },
    quiet: {
      title: "Σίγαση ειδοποιήσεων",
      html: "<p>Ορίστε τις ώρες στις οποίες δεν θέλετε να σας ενοχλούν. Στο διάστημα αυτό οι ειδοποιήσεις μένουν σε αναμονή και το πρωί λαμβάνετε μία σύνοψη.</p>",
    },
    backup: {
      title: "Αντίγραφα ασφαλείας",
      html: "<p>Κάθε νύχτα δημιουργείται ένα αντίγραφο της βάσης δεδομένων, το οποίο διατηρείται για τριάντα ημέρες. Μία φορά τον μήνα ελέγξτε ότι μπορεί να αποκατασταθεί.</p>",
    },
    key: {
      title: "Ανανέωση κλειδιού API",
      html: "<p>Δημιουργήστε ένα νέο κλειδί, αντικαταστήστε το παλιό στα προγράμματά σας και έπειτα ανακαλέστε το. Ένα κλειδί μόνο για ανάγνωση δεν μπορεί να αλλάξει τίποτα.</p>",
    },
  },
  [
    { query: "κωδικός", finds: ["password"], first: true, only: true, why: "as it is written" },
    { query: "κωδικος", finds: ["password"], first: true, only: true, why: "without its tonos" },
    { query: "ΚΩΔΙΚΟΣ", finds: ["password"], first: true, only: true, why: "capitals: Σ is the capital of ς too" },
    { query: "κωδικοσ", finds: ["password"], first: true, only: true, why: "σ for ς at the end" },
    { query: "ΤΙΜΟΛΟΓΙΑ", finds: ["invoice"], first: true, only: true, why: "capitals without a tonos" },
    { query: "προιον", finds: ["invoice"], first: true, only: true, why: "without its dots and its tonos" },
    { query: "ΠΡΟΪΟΝ", finds: ["invoice"], first: true, only: true, why: "capitals, with dots" },
    { query: "ειδοποιησεις", finds: ["quiet"], first: true, only: true, why: "without its tonos" },
    { query: "εξαγωγη δεδομενων", finds: ["export"], first: true, only: true, why: "two words of the title" },
    { query: "αντιγραφο", finds: ["backup"], first: true, only: true, why: "without its tonos" },
    { query: "αντιγρ", finds: ["backup"], first: true, only: true, why: "half a word" },
    { query: "κλειδί api", finds: ["key"], first: true, only: true, why: "two scripts" },

    { query: "τιμολγόια", finds: ["invoice"], corrected: "τιμολόγια", why: "two letters changed places" },
    { query: "πρσόκληση", finds: ["invite"], corrected: "πρόσκληση", why: "two letters changed places" },
    { query: "κωδκιος", finds: ["password"], corrected: "κωδικός", why: "two letters changed places, no tonos" },
    { query: "ειδοποίσηεσι", finds: ["quiet"], corrected: "ειδοποιήσεις", why: "two edits" },
  ],
);
