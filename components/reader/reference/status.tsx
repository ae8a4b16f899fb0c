/** A status in the colour of what it says: done, nothing new, refused. */
export function Status({ status, reason = "" }: { status: string; reason?: string }) {
  const colour = status < "300" ? "text-success" : status < "400" ? "text-text-muted" : "text-danger";
  return (
    <span className={`font-mono text-code font-semibold ${colour}`}>
      {status} {reason}
    </span>
  );
}

/** A method: those that change something stand out. */
export function Method({ method }: { method: string }) {
  return (
    <span className={`font-mono text-code font-semibold ${method === "GET" ? "text-success" : "text-caution"}`}>
      {method}
    </span>
  );
}
