/**
 * What stands for a client where clients are counted: one address of IPv4, one network (/64) of IPv6, since whoever has
 * one of the latter's addresses has 2^64. Pure.
 * @param address null when it is not known: all of those are one
 */
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
