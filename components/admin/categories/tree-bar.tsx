import { Key } from "@/components/ui/shortcuts";

export function TreeBar({ onUnfold, onFold }: { onUnfold?: () => void; onFold?: () => void }) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-text-muted">
      <p className="hidden flex-wrap items-center gap-x-4 gap-y-1 md:flex">
        <Hint keys={["Alt", "↑ ↓ ← →"]}>move</Hint>
        <Hint keys={["F2"]}>edit</Hint>
        <Hint keys={["Shift", "Enter"]}>new sibling</Hint>
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
