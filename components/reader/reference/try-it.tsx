import type { Callable } from "@/components/reader/try-it/call";
import { Button } from "@/components/ui/button";

/** Opens a form that sends requests (try-it/try-it.tsx). Hidden without scripts. */
export function TryIt({ operation }: { operation: Callable }) {
  return (
    <div className="noscript:hidden">
      <Button
        type="button"
        look="plain"
        data-try={JSON.stringify(operation)}
        data-failed="Couldn’t load the form. Reload the page."
      >
        Try it
      </Button>
    </div>
  );
}
