import { Button } from "@/components/ui/button";
import type { Callable } from "./form/call";

/** Opens a form that sends requests (form/try-it.tsx). Hidden without scripts. */
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
