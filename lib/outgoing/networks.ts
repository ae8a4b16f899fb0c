import { Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Networks of special use (IANA), and the metadata server of Azure. */
const special4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["168.63.129.16", 32], ["169.254.0.0", 16],
  ["172.16.0.0", 12], ["192.0.0.0", 24], ["192.0.2.0", 24], ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15],
  ["198.51.100.0", 24], ["203.0.113.0", 24], ["224.0.0.0", 4], ["240.0.0.0", 4],
] as const) special4.addSubnet(network, bits, "ipv4"); // biome-ignore format: a list reads best as lines

/** Everything that is not global unicast is refused, such as addresses that map or translate IPv4. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
const special6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20],
] as const) special6.addSubnet(network, bits, "ipv6"); // biome-ignore format: a list reads best as lines

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, "ipv4");
    case 6:
      return !address.includes("%") && global6.check(address, "ipv6") && !special6.check(address, "ipv6");
    default:
      return false;
  }
}

export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !address.includes("%") && loopback.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** The host of a URL without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

export function namesLoopback(url: URL): boolean {
  return /^(.*\.)?localhost\.?$/.test(url.hostname) || isLoopback(hostOf(url));
}

/** Finds the addresses of a name. Not the system's resolver, whose few threads a slow DNS server would block. */
export async function resolveName(name: string): Promise<string[]> {
  if (/^(.*\.)?localhost\.?$/.test(name)) return ["127.0.0.1", "::1"];
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}
