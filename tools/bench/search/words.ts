import { type Draw, drawing } from "./draw";

/** Words that every text has, roughly by their frequency in English documentation. The others are generated. */
const COMMON = `the to of a and in is you for that on this can if or with be an as are your from by it when use not have
  at will which one all has after new each more only must want also about select then other set same do make no example
  open choose first page following time number name used should how between using add see need before more into what out
  up over list where than them they their there here these those was were but so may any some most such both two three
  many much because while until during through within without under above below again once every another next last
  previous current different available required default same own part way work works change changes value values type
  types file files line lines table field fields form user users system data information process order item items
  account setting settings window button click enter create delete remove save run start stop send receive show shows
  view find get give given take takes keep let know like look help note step steps case cases section content text
  document report date day month year amount price cost code key level group role right left top bottom back off on
  yes sure specific general total single multiple several few less least own even still just now already always never
  often usually however therefore instead either neither whether though since per via against across among around
  along toward behind beyond despite except inside outside onto upon according based related common possible
  important simple main full empty large small long short high low old early late good better best bad wrong
  correct true false second third end begin point place side area kind sort result results reason problem question
  answer rule rules plan task tasks job jobs tool tools service services product products customer customers company
  version update updates support access control check test tests build read write copy move print close return call
  allow allows provide provides contain contains include includes define defined describe described apply applied
  assign assigned specify specified enable enabled disable disabled display displayed appear appears happen depends`;

/** The number of generated words. Rarer ones come from `strangeWord`. */
const MADE_UP = 60_000;

/**
 * The Zipf–Mandelbrot distribution: the word of rank r is drawn with a probability in proportion to (r + SHIFT)^-EXPONENT.
 * Both numbers were fitted, by least squares on the logarithms, to the ranks 1 to 16,384 of two public collections of
 * product documentation (dynamics365smb-docs and windows-driver-docs on GitHub: 7,240 articles of 3.5 million words). General
 * English usually has exponents about 1 and shifts about 2.7. Technical prose falls off faster, because it covers fewer
 * topics in fewer words. Up to rank 5,000 the shares are within a half of the counts, except for the first word: "the" is
 * three times as frequent.
 */
export const EXPONENT = 1.29;
export const SHIFT = 10.75;

/** Ranks below this are words of every text. From here on, each text has its own favorites. */
export const TOPICAL_FROM = 40;

/** First parts of syllables, weighted by the first letters of words in the same documentation. */
const ONSETS = weighted(
  "s:4 st:2 sp:1 sc:1 sh:1 p:4 pr:2 pl:1 c:4 cr:1 cl:1 ch:1 d:5 dr:1 i:5 r:5 m:5 a:5 w:3 e:4 n:4 f:3 fl:1 t:3 tr:1 b:2 br:1 u:3 g:2 gr:1 o:2 l:2 h:2 v:2 k:1 qu:1 j:1 y:1 z:1",
);
const NUCLEI = weighted("a:5 e:6 i:5 o:5 u:3 ea:1 ai:1 ou:1 io:1");
const CODAS = weighted(":8 n:3 r:3 l:2 t:2 s:2 m:1 c:1 d:1 nt:1 st:1 ck:1 ng:1");

export class Vocabulary {
  /** By rank, the most frequent first. */
  readonly words: readonly string[];
  /** The share of each rank among all words. */
  readonly shares: Float64Array;
  private readonly keep: Float64Array;
  private readonly alias: Int32Array;

  constructor() {
    const words = new Set(COMMON.split(/\s+/));
    const common = words.size;
    const draw = drawing(20_261_122);
    while (words.size < common + MADE_UP) words.add(madeUp(draw, syllables(words.size)));
    this.words = [...words];
    this.shares = Float64Array.from(this.words, (_, rank) => (rank + 1 + SHIFT) ** -EXPONENT);
    const sum = this.shares.reduce((left, right) => left + right);
    for (let rank = 0; rank < this.shares.length; rank++) this.shares[rank] = (this.shares[rank] as number) / sum;
    [this.keep, this.alias] = aliases(this.shares);
  }

  /** A rank, drawn by its share. */
  rank(draw: Draw): number {
    const column = draw.below(this.words.length);
    return draw.next() < (this.keep[column] as number) ? column : (this.alias[column] as number);
  }

  /** A rank from TOPICAL_FROM on, drawn by its share among those. */
  topicalRank(draw: Draw): number {
    for (;;) {
      const rank = this.rank(draw);
      if (rank >= TOPICAL_FROM) return rank;
    }
  }

  word(rank: number): string {
    return this.words[rank] as string;
  }
}

/**
 * The rank that often follows a rank. It is a neighbor with nearly the same share, so that such pairs don't change the
 * distribution. Four words follow each other in a ring, so that some runs of three and four are frequent too.
 */
export function companion(rank: number): number {
  return (rank & ~3) | ((rank + 1) & 3);
}

/** A word that hardly any other text has: a name, an identifier, a typo. */
export function strangeWord(draw: Draw): string {
  return madeUp(draw, 3) + draw.pick(["", "", "ov", "ix", "ez", "ky"]);
}

/** Rare words are longer. */
function syllables(rank: number): (draw: Draw) => number {
  return (draw) => (rank < 2_000 ? 2 : rank < 20_000 ? 2 + draw.below(2) : 3 + draw.below(2));
}

function madeUp(draw: Draw, count: number | ((draw: Draw) => number)): string {
  let word = "";
  for (let left = typeof count === "number" ? count : count(draw); left > 0; left--) {
    const onset = draw.pick(ONSETS);
    word += onset + (/[aeiou]$/.test(onset) && onset !== "qu" ? "" : draw.pick(NUCLEI)) + draw.pick(CODAS);
  }
  return word;
}

function weighted(list: string): string[] {
  return list.split(" ").flatMap((entry) => {
    const [text = "", weight = "1"] = entry.split(":");
    return Array.from({ length: Number(weight) }, () => text);
  });
}

/** Vose's alias method: draws from any distribution with two numbers. */
function aliases(shares: Float64Array): [Float64Array, Int32Array] {
  const count = shares.length;
  const keep = Float64Array.from(shares, (share) => share * count);
  const alias = Int32Array.from({ length: count }, (_, rank) => rank);
  const small: number[] = [];
  const large: number[] = [];
  for (let rank = 0; rank < count; rank++) ((keep[rank] as number) < 1 ? small : large).push(rank);
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop() as number;
    const rich = large.at(-1) as number;
    alias[poor] = rich;
    keep[rich] = (keep[rich] as number) - (1 - (keep[poor] as number));
    if (keep[rich] < 1) small.push(large.pop() as number);
  }
  // The rest is 1, except for rounding.
  for (const rank of [...small, ...large]) keep[rank] = 1;
  return [keep, alias];
}
