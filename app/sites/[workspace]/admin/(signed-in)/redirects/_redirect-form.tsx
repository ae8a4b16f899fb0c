"use client";

import { useActionState, useState } from "react";
import { findPlaces } from "@/components/admin/writing/find-articles";
import type { ComboboxOption } from "@/components/ui/combobox";
import { FormChoice, FormCombobox, FormField, FormFrame } from "@/components/ui/form";
import { isAddress } from "./_address";
import { submitRedirect } from "./actions";

const find = async (text: string): Promise<ComboboxOption[]> =>
  isAddress(text)
    ? []
    : (await findPlaces(text)).map(({ href, title, category }) => ({ value: href, name: title, note: category }));

/**
 * The target of an old URL. If someone types words instead of a URL, the form suggests articles and categories. Words that are sent, such as without
 * scripts, lead to a choice as a second step.
 * @param redirect the redirect to change; its old URL stays
 */
export function RedirectForm({
  redirect,
  from = "",
  to = "",
}: {
  redirect?: { id: string };
  from?: string;
  to?: string;
}) {
  const [state, action, pending] = useActionState(submitRedirect, { values: {}, errors: {}, choices: [] });
  const [article, setArticle] = useState<ComboboxOption | null>(null);
  return (
    <FormFrame
      state={state}
      action={action}
      pending={pending}
      submit={redirect ? "Save" : "Add redirect"}
      busy={redirect ? "Saving…" : "Adding…"}
      cancel="/admin/redirects"
    >
      {redirect ? (
        <input type="hidden" name="id" value={redirect.id} />
      ) : (
        <FormField
          label="Old URL"
          name="from"
          hint="A path such as /help/billing. Existing pages can't be redirected."
          defaultValue={from}
          required
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <div className="group grid gap-5">
        <FormChoice
          label="When someone visits the old URL"
          name="leads"
          defaultValue="on"
          options={[
            { value: "on", name: "Redirect to another page" },
            { value: "gone", name: "Show “page removed”" },
          ]}
        />
        <div className="grid gap-5 group-has-[option[value=gone]:checked]:hidden">
          <FormCombobox
            label="Destination"
            name="to"
            hint="The name of an article or category, a path such as /articles/refunds, or a full URL."
            defaultValue={to}
            none=""
            takesText
            find={find}
            options={article ? [article] : undefined}
            onChange={(_, option) => setArticle(option)}
          />
          {state.choices.length > 0 && !article && (
            <fieldset className="grid gap-1">
              <legend className="mb-1 font-medium">Matches</legend>
              {state.choices.map(({ value, name, address }) => (
                <label key={value} className="flex min-h-11 cursor-pointer items-start gap-2.5 py-1.5 md:min-h-8">
                  <input
                    type="radio"
                    name="chosen"
                    value={value}
                    defaultChecked={state.values.chosen === value}
                    className="mt-0.5 size-4 shrink-0 accent-accent"
                  />
                  <span className="min-w-0 break-words">
                    {name}
                    <span className="block wrap-anywhere text-text-muted">{address}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          )}
        </div>
      </div>
    </FormFrame>
  );
}
