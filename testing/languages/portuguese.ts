import { language } from "./language";

export const portuguese = language(
  "pt",
  {
    password: {
      title: "Redefinir a senha",
      html: "<p>Clique em “Esqueci minha senha” na página de entrada. Enviaremos um link válido por uma hora. A nova senha precisa ter pelo menos doze caracteres.</p>",
    },
    invoice: {
      title: "Baixar uma fatura",
      html: "<p>Todas as faturas ficam disponíveis em PDF na seção Cobrança. O proprietário da conta também as recebe por e-mail no início do mês.</p>",
    },
    export: {
      title: "Exportar os dados",
      html: "<p>A exportação reúne todos os artigos em formato Markdown em um arquivo compactado. Se demorar, avisaremos quando estiver pronta.</p>",
    },
    invite: {
      title: "Convidar um membro da equipe",
      html: "<p>Digite o endereço da pessoa e escolha uma função. O convite expira após sete dias. Convidados podem ler, mas não alterar nada.</p>",
    },
    quiet: {
      title: "Silenciar notificações",
      html: "<p>Informe em que horários você não quer ser incomodado. Durante esse período os avisos ficam retidos e, pela manhã, você recebe um único resumo.</p>",
    },
    backup: {
      title: "Cópia de segurança do banco de dados",
      html: "<p>Toda noite é criada uma cópia de segurança, guardada por trinta dias. Verifique uma vez por mês se ela pode ser restaurada.</p>",
    },
    key: {
      title: "Renovar uma chave de API",
      html: "<p>Crie uma chave nova, substitua a antiga nos seus programas e depois revogue-a. Uma chave somente de leitura não permite alterações.</p>",
    },
  },
  [
    { query: "notificações", finds: ["quiet"], first: true, only: true, why: "a cedilla and a tilde" },
    { query: "notificacoes", finds: ["quiet"], first: true, only: true, why: "without both" },
    { query: "COBRANÇA", finds: ["invoice"], first: true, only: true, why: "capitals" },
    { query: "cobranca", finds: ["invoice"], first: true, only: true, why: "c for ç" },
    { query: "copia de seguranca", finds: ["backup"], first: true, only: true, why: "without accents" },
    { query: "endereco", finds: ["invite"], first: true, only: true, why: "c for ç" },
    { query: "revogue", finds: ["key"], first: true, only: true, why: "a pronoun behind a hyphen in the text" },
    { query: "banco de dados", finds: ["backup"], first: true, only: true, why: "a small word between" },
    { query: "esqueci a minha senha", finds: ["password"], first: true, only: true, why: "one more small word" },

    { query: "segruança", finds: ["backup"], corrected: "segurança", why: "two letters changed places" },
    { query: "convdiar", finds: ["invite"], corrected: "convidar", why: "two letters changed places" },
    { query: "notifcacoe", finds: ["quiet"], corrected: "notificações", why: "two edits, no accents" },
  ],
);
