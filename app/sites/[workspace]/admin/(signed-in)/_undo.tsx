import { Submit } from "@/components/ui/submit";
import type { Flash, UndoName } from "@/lib/session/flash";
import { submitFormerColor, submitLogo } from "./appearance/actions";
import { submitUndo } from "./articles/actions";
import { submitPlaceBack } from "./categories/actions";
import { submitDiscard } from "./insights/actions";
import { submitFormerRole, submitReactivate, submitRestore as submitRestoreInvitation } from "./members/actions";
import { submitPicture } from "./profile/actions";
import { submitReaderOptions } from "./readers/actions";
import { submitRestore as submitRestoreDeletion } from "./trash/actions";

const actions: Record<UndoName, (form: FormData) => Promise<void>> = {
  articles: submitUndo,
  categoryPlace: submitPlaceBack,
  color: submitFormerColor,
  deactivation: submitReactivate,
  deletion: submitRestoreDeletion,
  draft: submitDiscard,
  invitation: submitRestoreInvitation,
  logo: submitLogo,
  picture: submitPicture,
  readerOptions: submitReaderOptions,
  role: submitFormerRole,
};

/** Undoes the action that a message reports. @param query of the page's URL, so that lists return to the same view */
export function UndoForm({ undo, query }: { undo: NonNullable<Flash["undo"]>; query: string }) {
  return (
    <form action={actions[undo.name]}>
      {Object.entries({ from: query, ...undo.fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Submit busy="Undoing…" look="plain" size="small">
        {undo.label}
      </Submit>
    </form>
  );
}
