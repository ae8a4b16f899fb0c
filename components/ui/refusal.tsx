/** Why the server refused a form, shown before its fields. */
export function Refusal({ children }: { children: string }) {
  return (
    <p role="alert" className="rounded-sm border border-danger px-3 py-2.5 text-sm text-danger">
      {children}
    </p>
  );
}
