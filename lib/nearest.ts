/** The known names that someone may have meant: misspelled by a third at most, or a part of each other. The nearest come first. */
export function nearest(name: string, known: readonly string[]): string[] {
  const sent = name.toLowerCase().slice(0, 50);
  const distances = known.map((one) => {
    const isPart = sent.length >= 3 && (one.includes(sent) || sent.includes(one));
    const distance = editsBetween(sent, one) / (Math.max(sent.length, one.length) / 3);
    return { one, distance: isPart ? Math.min(distance, 1) : distance };
  });
  const near = distances.filter(({ distance }) => distance <= 1).sort((a, b) => a.distance - b.distance);
  return near.map(({ one }) => one);
}

/** How many letters must be added, removed or replaced. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let other = 1; other <= to.length; other++) {
      const replaced = row[other - 1]! + (from[at - 1] === to[other - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[other]! + 1, next[other - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
