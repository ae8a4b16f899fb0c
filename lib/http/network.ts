/** The network by which a client is counted: an IPv4 address, or an IPv6 /64, whose owner has 2^64 addresses. */
export function networkOf(address: string | null): string {
  if (!address?.includes(":")) return address ?? "unknown";
  const [head = "", tail] = address.toLowerCase().split("%")[0]!.split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - last.length)).fill("0");
  return [...groups, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
