import { copyOf, create } from "./create";
import { wordsOf } from "./words";

/** What the Feedback component puts into the page. */
export interface FeedbackWords {
  thanks: string;
  sent: string;
  failed: string;
  /** What is asked after "Yes". */
  better: string;
}

/** Sends feedback without leaving the page, and asks for a reason after an answer. */
export function sendFeedback(section: HTMLElement): void {
  const words = wordsOf<FeedbackWords>(section);
  const status = section.querySelector("[role=status]");
  let sending = false;

  const reasonFor = (answer: string) => {
    const after = copyOf(section.querySelector("template"));
    if (answer === "no") return after;
    const [form, question] = [after.querySelector("form"), after.querySelector("label:has(textarea) span")];
    form?.querySelector("fieldset")?.remove();
    form?.querySelector("input")?.setAttribute("value", answer);
    if (question) question.textContent = words.better;
    after.replaceChildren(...(form ? [form] : []));
    return after;
  };
  const send = async (form: HTMLFormElement, submitter: HTMLElement | null) => {
    if (sending) return;
    sending = true;
    const input = new FormData(form, submitter);
    const problem = await sent(form.action, input, words);
    sending = false;
    const isReason = input.has("reason");
    // A new element makes screen readers repeat the same message.
    status?.replaceChildren(create("span", { textContent: problem ?? (isReason ? words.sent : words.thanks) }));
    if (problem) return;
    if (isReason) {
      form.remove();
      // The focused field has been removed.
      section.querySelector("h2")?.focus();
      return;
    }
    const answer = input.get("helpful") === "yes" ? "yes" : "no";
    for (const button of form.querySelectorAll("button")) button.ariaPressed = String(button.value === answer);
    // The same answer again keeps what was typed.
    const isAsked = section.querySelector<HTMLInputElement>("[data-after] [name=helpful]")?.value === answer;
    if (!isAsked) section.querySelector("[data-after]")?.replaceChildren(reasonFor(answer));
  };
  section.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) void send(event.target, event.submitter);
  });
}

/** @returns an error message, or null */
async function sent(address: string, form: FormData, words: FeedbackWords): Promise<string | null> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams([...form] as [string, string][]),
    });
    if (response.ok) return null;
    const { error } = (await response.json()) as { error?: string };
    return error ?? words.failed;
  } catch {
    return words.failed;
  }
}
