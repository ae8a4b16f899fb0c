export function Status({ status, reason = "" }: { status: string; reason?: string }) {
  const color = status < "300" ? "text-success" : status < "400" ? "text-text-muted" : "text-danger";
  return (
    <span className={`font-mono text-code font-semibold ${color}`}>
      {status} {reason}
    </span>
  );
}

export function Method({ method }: { method: string }) {
  return (
    <span className={`font-mono text-code font-semibold ${method === "GET" ? "text-success" : "text-caution"}`}>
      {method}
    </span>
  );
}
