import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FieldRow } from "@/components/ui/field-row";
import { Fold } from "@/components/ui/fold";
import { type Callable, callOf, type Outcome, sent, type Typed } from "./call";
import { KeyField, useKey } from "./key";
import { Result } from "./result";

/** Sends real requests to this workspace. Requests that change something need confirmation. */
export function TryForm({ operation, onClose }: { operation: Callable; onClose: () => void }) {
  const { method, summary, parameters, body } = operation;
  const key = useKey();
  const [typed, setTyped] = useState<Typed>({});
  const [stage, setStage] = useState<"writing" | "confirming" | "sending">("writing");
  const [outcome, setOutcome] = useState<Outcome>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus({ preventScroll: true }), []);

  const call = callOf(operation, typed);
  const send = async () => {
    setStage("sending");
    setOutcome(await sent(call, key));
    setStage("writing");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (stage !== "writing") return;
    if (method === "GET") void send();
    else setStage("confirming");
  };
  const change = (name: string) => (value: string) => {
    setTyped({ ...typed, [name]: value });
    setStage("writing");
  };
  const inputs = (place: string, fields: Callable["body"]) =>
    fields.map(({ name, type, values, example }) => (
      <FieldRow
        key={name}
        name={name}
        values={type === "boolean" ? ["true", "false"] : values}
        none="Not sent"
        value={typed[`${place}:${name}`] ?? ""}
        onChange={change(`${place}:${name}`)}
        required={place === "path"}
        placeholder={example && `e.g. ${example}`}
        inputMode={type === "integer" ? "numeric" : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    ));
  const sentIn = (place: string) => parameters.filter((parameter) => parameter.in === place);

  return (
    <div className="min-w-0 rounded-md border border-border bg-surface-raised">
      <div className="flex min-h-11 items-center justify-between gap-3 border-b border-border pr-1.5 pl-4 text-sm">
        <h4 className="font-medium">Try it: {summary}</h4>
        <button
          type="button"
          onClick={onClose}
          className="h-8 shrink-0 cursor-pointer rounded-sm px-2.5 text-text-muted hover:bg-surface hover:text-text"
        >
          Close
        </button>
      </div>
      <form ref={form} onSubmit={submit} className="grid gap-3 p-4">
        <KeyField />
        {inputs("path", sentIn("path"))}
        {inputs("query", sentIn("query"))}
        {body.length > 0 && <p className="text-sm text-text-muted">Only the fields you fill in are sent.</p>}
        {inputs("body", body)}
        <div className="text-sm">
          <Fold summary={<span>Headers</span>}>
            <div className="grid gap-3 pt-1 pb-2">{inputs("header", sentIn("header"))}</div>
          </Fold>
        </div>
        <code className="text-code wrap-anywhere">
          {call.method} {call.address}
        </code>
        {stage === "confirming" ? (
          <Confirm
            body={call.body ?? `${call.method} ${call.address}`}
            onCancel={() => setStage("writing")}
            onConfirm={() => void send()}
          />
        ) : (
          <Button type="submit" disabled={stage === "sending"}>
            {stage === "sending" ? "Sending…" : "Send request"}
          </Button>
        )}
      </form>
      <div role="status" aria-label="Response">
        {outcome && stage !== "sending" && <Result outcome={outcome} />}
      </div>
    </div>
  );
}

function Confirm({ body, onCancel, onConfirm }: { body: string; onCancel: () => void; onConfirm: () => void }) {
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.querySelector("button")?.focus(), []);
  return (
    <div
      ref={question}
      role="group"
      aria-label="Confirm the change"
      className="grid gap-3 rounded-sm border border-caution p-3 text-sm"
    >
      <p>
        This changes real data: <code className="wrap-anywhere">{body}</code>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="button" onClick={onConfirm}>
          Send request
        </Button>
        <Button type="button" look="plain" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
