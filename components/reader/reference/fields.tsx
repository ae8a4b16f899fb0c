import { Fold } from "@/components/ui/fold";
import { Inline } from "@/components/ui/inline";
import type { Field } from "@/lib/reference/fields";

/** @param sent whether these are request fields, which may be required, or answer fields, which may be absent */
export function Fields({ fields, sent }: { fields: Field[]; sent: boolean }) {
  return (
    <dl className="border-t border-border text-sm">
      {fields.map((field) => (
        <div key={field.name} className="border-b border-border py-3 last:border-b-0">
          <dt className="flex flex-wrap items-baseline gap-x-2.5">
            <code className="text-sm font-semibold wrap-anywhere">{field.name}</code>
            <span className="text-text-muted">{field.type}</span>
            {sent && field.required && <span className="font-medium text-caution">required</span>}
            {!sent && !field.required && <span className="text-text-muted">may be absent</span>}
          </dt>
          <dd className="mt-1 text-text-muted">
            <Inline>{field.description}</Inline> <Values field={field} />
            {field.recursive && "Each has the same fields as its parent."}
            {field.fields.length > 0 && (
              <Fold summary={<span>Fields of {field.type.startsWith("array") ? "each item" : field.name}</span>}>
                <div className="mb-1 ml-[0.1875rem] border-l border-border pl-4">
                  <Fields fields={field.fields} sent={sent} />
                </div>
              </Fold>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

function Values({ field: { values, fallback } }: { field: Field }) {
  return (
    <>
      {values.length > 0 && (
        <>
          Values:{" "}
          {alternatives.formatToParts(values).map(({ type, value }, index) =>
            type === "element" ? (
              <code key={value} className="text-text">
                {value}
              </code>
            ) : (
              <span key={index}>{value}</span>
            ),
          )}
          .{" "}
        </>
      )}
      {fallback !== undefined && (
        <>
          Default: <code className="text-text">{fallback}</code>.{" "}
        </>
      )}
    </>
  );
}
