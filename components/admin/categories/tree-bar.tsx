import { Search } from "lucide-react";
import { countOf } from "@/components/ui/count";
import { fieldLook } from "@/components/ui/field-look";
import { Key } from "@/components/ui/shortcuts";

/**
 * @param matches the number of categories that the search finds, or null without a search
 * @param onLeave moves from the search to the tree
 */
export function TreeBar({
  search,
  matches,
  onSearch,
  onLeave,
  onUnfold,
  onFold,
}: {
  search: string;
  matches: number | null;
  onSearch: (text: string) => void;
  onLeave: () => void;
  onUnfold?: () => void;
  onFold?: () => void;
}) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-text-muted">
      <div role="search" className="relative flex min-w-48 flex-1 md:max-w-72">
        <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
        <input
          type="search"
          value={search}
          onChange={({ target }) => onSearch(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && search !== "") {
              event.stopPropagation();
              event.preventDefault();
              onSearch("");
            }
            if (event.key !== "ArrowDown" && event.key !== "Enter") return;
            event.preventDefault();
            onLeave();
          }}
          aria-label="Search categories"
          placeholder="Search categories"
          maxLength={100}
          autoComplete="off"
          className={`w-full pl-9 text-text ${fieldLook.medium}`}
        />
        <span role="status" className="sr-only">
          {matches !== null && countOf(matches, "result")}
        </span>
      </div>
      <p className="hidden flex-wrap items-center gap-x-4 gap-y-1 xl:flex">
        <Hint keys={["Alt", "↑ ↓ ← →"]}>move</Hint>
        <Hint keys={["F2"]}>edit</Hint>
        <Hint keys={["Shift", "Enter"]}>add sibling</Hint>
        <Hint keys={["Shift", "F10"]}>more actions</Hint>
      </p>
      {onUnfold && onFold && (
        <div className="flex">
          <button type="button" onClick={onUnfold} className={foldLook}>
            Expand all
          </button>
          <button type="button" onClick={onFold} className={foldLook}>
            Collapse all
          </button>
        </div>
      )}
    </div>
  );
}

const foldLook = "h-11 cursor-pointer rounded-sm px-2 hover:text-text md:h-8";

function Hint({ keys, children }: { keys: string[]; children: string }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Key key={key}>{key}</Key>
      ))}
      <span className="ml-0.5">{children}</span>
    </span>
  );
}
