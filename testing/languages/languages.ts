import { arabic } from "./arabic";
import { chinese } from "./chinese";
import { english } from "./english";
import { french } from "./french";
import { german } from "./german";
import { greek } from "./greek";
import { hebrew } from "./hebrew";
import { japanese } from "./japanese";
import { korean } from "./korean";
import type { Language } from "./language";
import { polish } from "./polish";
import { portuguese } from "./portuguese";
import { russian } from "./russian";
import { spanish } from "./spanish";
import { thai } from "./thai";
import { turkish } from "./turkish";
import { ukrainian } from "./ukrainian";
import { vietnamese } from "./vietnamese";

/** All languages share one knowledge base. */
export const languages: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  polish,
  turkish,
  vietnamese,
  russian,
  ukrainian,
  greek,
  arabic,
  hebrew,
  chinese,
  japanese,
  korean,
  thai,
];
