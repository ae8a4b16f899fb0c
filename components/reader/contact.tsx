/** A way to a person, set by the owner. */
export interface Contact {
  href: string;
  /** An email, or a URL without its scheme. */
  text: string;
}

/** Offers a person to readers who found no answer. @param prompt asks whether they need help */
export function ContactLine({ contact, prompt }: { contact: Contact | null; prompt: string }) {
  if (!contact) return null;
  return (
    <p className="mt-4 text-sm">
      {prompt}{" "}
      <a href={contact.href} dir="auto" className="wrap-anywhere">
        {contact.text}
      </a>
    </p>
  );
}
