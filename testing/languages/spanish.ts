import { language } from "./language";

export const spanish = language(
  "es",
  {
    password: {
      title: "Restablecer la contraseña",
      html: "<p>Pulse «¿Ha olvidado su contraseña?» en la página de inicio de sesión. Le enviaremos un enlace que caduca al cabo de una hora. La nueva contraseña debe tener al menos doce caracteres.</p>",
    },
    invoice: {
      title: "Descargar una factura",
      html: "<p>Las facturas están disponibles en formato PDF en el apartado Facturación. El titular de la cuenta también las recibe por correo electrónico a principios de mes.</p>",
    },
    export: {
      title: "Exportar los datos",
      html: "<p>La exportación incluye todos los artículos en formato Markdown dentro de un archivo comprimido. Si tarda mucho, le avisaremos cuando esté lista.</p>",
    },
    invite: {
      title: "Invitar a un compañero",
      html: "<p>Escriba la dirección de la persona y elija una función. La invitación vence a los siete días. Los invitados pueden leer, pero no modificar nada.</p>",
    },
    quiet: {
      title: "Silenciar las notificaciones",
      html: "<p>Indique a qué horas no desea que le molesten. Durante ese tiempo los avisos quedan en espera y por la mañana recibe un solo resumen.</p>",
    },
    backup: {
      title: "Copia de seguridad de la base de datos",
      html: "<p>Cada noche se crea una copia de seguridad que se conserva treinta días. Compruebe una vez al mes que se puede restaurar. Guarde otra copia fuera de la oficina.</p>",
    },
    key: {
      title: "Renovar una clave de API",
      html: "<p>Cree una clave nueva, sustituya la antigua en sus programas y después revóquela. Una clave de solo lectura no permite cambiar nada.</p>",
    },
    design: {
      title: "Cambiar el diseño del sitio",
      html: "<p>Elija el color, el logotipo y el tamaño de la letra en Apariencia. Una vista previa muestra la página antes de publicar los cambios.</p>",
    },
  },
  [
    { query: "contraseña", finds: ["password"], first: true, only: true, why: "ñ" },
    { query: "contrasena", finds: ["password"], first: true, only: true, why: "n for ñ" },
    { query: "CONTRASEÑA", finds: ["password"], first: true, only: true, why: "capitals" },
    { query: "contrasen\u0303a", finds: ["password"], first: true, only: true, why: "ñ in two characters" },
    { query: "companero", finds: ["invite"], first: true, only: true, why: "n for ñ" },
    { query: "diseno", finds: ["design"], first: true, only: true, why: "n for ñ" },
    { query: "tamano de letra", finds: ["design"], first: true, only: true, why: "n for ñ, a small word left out" },
    { query: "correo electronico", finds: ["invoice"], first: true, only: true, why: "without its accent" },
    { query: "direccion", finds: ["invite"], first: true, only: true, why: "without its accent" },
    { query: "copia de seguridad", finds: ["backup"], first: true, only: true, why: "a small word between" },
    { query: "¿olvidado su contraseña?", finds: ["password"], first: true, only: true, why: "marks around a question" },
    { query: "mañana", finds: ["quiet"], first: true, only: true, why: "ñ inside a word" },

    { query: "contarseña", finds: ["password"], corrected: "contraseña", why: "two letters changed places" },
    { query: "contarsena", finds: ["password"], corrected: "contraseña", why: "so, and n for ñ" },
    { query: "segurdad", finds: ["backup"], corrected: "seguridad", why: "a letter is missing" },
    { query: "Descargar facutra", finds: ["invoice"], corrected: "Descargar factura", why: "one word is wrong" },
    { query: "electornco", finds: ["invoice"], corrected: "electrónico", why: "two edits" },
  ],
);
