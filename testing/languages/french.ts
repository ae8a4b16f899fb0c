import { language } from "./language";

export const french = language(
  "fr",
  {
    password: {
      title: "Réinitialiser le mot de passe",
      html: "<p>Cliquez sur « Mot de passe oublié » sur la page de connexion. Nous vous envoyons un lien valable une heure. Le nouveau mot de passe doit compter au moins douze caractères.</p>",
    },
    install: {
      title: "Guide d'installation",
      html: "<p>Avant de commencer, vérifiez que l’ordinateur dispose de deux gigaoctets de mémoire. Lancez ensuite le programme et suivez les étapes. Aucun redémarrage n'est nécessaire.</p>",
    },
    invoice: {
      title: "Télécharger une facture",
      html: "<p>Vos factures sont disponibles au format PDF dans la rubrique Facturation. Le propriétaire du compte les reçoit aussi par courriel au début du mois.</p>",
    },
    export: {
      title: "Exporter les données",
      html: "<p>L'export contient tous les articles au format Markdown, dans une archive compressée. S’il est volumineux, nous vous prévenons dès qu’il est prêt.</p>",
    },
    invite: {
      title: "Inviter un membre de l'équipe",
      html: "<p>Saisissez l'adresse de la personne et choisissez son rôle. L'invitation expire au bout de sept jours. Un invité peut lire, mais pas modifier.</p>",
    },
    quiet: {
      title: "Désactiver les notifications",
      html: "<p>Indiquez les heures pendant lesquelles vous ne souhaitez pas être dérangé. Pendant ce temps, les alertes sont mises en attente, puis envoyées en un seul message.</p>",
    },
    backup: {
      title: "Sauvegarde de la base de données",
      html: "<p>Une sauvegarde est créée chaque nuit et conservée trente jours. Vérifiez régulièrement qu'elle peut être restaurée. Gardez-en aussi une copie à l'extérieur.</p>",
    },
    key: {
      title: "Renouveler une clé d’API",
      html: "<p>Créez une nouvelle clé, remplacez l'ancienne dans vos programmes, puis révoquez-la. Une clé en lecture seule ne permet aucune modification.</p>",
    },
    signOn: {
      title: "Mettre en œuvre l'authentification unique",
      html: "<p>La connexion passe par le fournisseur d'identité de votre entreprise. En cas de panne, un administrateur peut toujours entrer avec un code de secours.</p>",
    },
  },
  [
    { query: "installation", finds: ["install"], first: true, only: true, why: "d' stands before it in the text" },
    { query: "l'installation", finds: ["install"], first: true, only: true, why: "another elision" },
    { query: "l’installation", finds: ["install"], first: true, only: true, why: "another elision and apostrophe" },
    { query: "d’installation", finds: ["install"], first: true, only: true, why: "another apostrophe" },
    { query: "linstallation", finds: ["install"], first: true, corrected: true, why: "the apostrophe is missing" },
    { query: "ordinateur", finds: ["install"], first: true, only: true, why: "l’ stands before it in the text" },
    { query: "l'ordinateur", finds: ["install"], first: true, only: true, why: "another apostrophe" },
    { query: "guide de l'installation", finds: ["install"], first: true, only: true, why: "another elision" },
    { query: "clé d'API", finds: ["key"], first: true, only: true, why: "another apostrophe" },
    { query: "cle api", finds: ["key"], first: true, only: true, why: "without accent and elision" },
    { query: "reinitialiser", finds: ["password"], first: true, only: true, why: "without its accent" },
    { query: "TELECHARGER", finds: ["invoice"], first: true, only: true, why: "capitals without accents" },
    { query: "équipe", finds: ["invite"], why: "l' stands before it in the text" },
    { query: "donnees", finds: ["export", "backup"], why: "without its accent" },
    { query: "recoit", finds: ["invoice"], first: true, only: true, why: "c for ç" },
    { query: "oeuvre", finds: ["signOn"], first: true, only: true, why: "oe for œ" },
    { query: "ŒUVRE", finds: ["signOn"], first: true, only: true, why: "a ligature in capitals" },
    { query: "mot de passe", finds: ["password"], first: true, why: "small words between" },
    { query: "gardez en", finds: ["backup"], first: true, why: "a blank for the hyphen" },

    { query: "factrue", finds: ["invoice"], corrected: "facture", why: "two letters changed places" },
    { query: "sauvgarde", finds: ["backup"], only: true, corrected: "sauvegarde", why: "a letter is missing" },
    { query: "télécharer", finds: ["invoice"], only: true, corrected: "télécharger", why: "a letter is missing" },
    { query: "telecharer", finds: ["invoice"], corrected: "télécharger", why: "so, and without accents" },
    { query: "l'ordinatuer", finds: ["install"], corrected: "l'ordinateur", why: "behind an elision" },
    { query: "authentifcatoin", finds: ["signOn"], corrected: "authentification", why: "two edits" },
  ],
);
