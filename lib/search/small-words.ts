import { wordsOf } from "./words";

/** Words that say nothing about the subject of a search, by language. */
const SMALL_WORDS: Record<string, string> = {
  en: `
    a about ain am an and any are aren as at be been being by can cant could couldn did didn didnt do does doesn
    doesnt doing don done dont for from get had hadn has hasn have haven having he her hers him his how i if im in
    into is isn isnt it its itself ive just ll me my no not of off on only or our ours out please re she should
    shouldn so some than that the their them then there these they this to too up ve very was wasn we weren what
    when where which who why will with won wont would wouldn you your
  `,
  de: `
    aber als am an auf aus bei bin bitte da das dass dem den der des die dies diese du ein eine einem einen einer er
    es fur gibt habe haben hat ich ihr im in ist kann man mein meine mich mir mit muss nach nicht oder sie sind so
    soll uber um und uns von vor wann warum was welche wenn wer werden wie wir wird wo zu zum zur
  `,
  fr: `
    a ai au aux avec avoir ce ces cette comment dans de des du elle en est et faire il ils j je l la le les leur ma
    mes mon n ne nous on ou par pas peut peux plus pour pourquoi puis qu quand que quel quelle qui quoi sa se ses si
    son sont sur un une vous y
  `,
  es: `
    al como con cual cuando de del donde el ella en es esta este hacer hago hay la las lo los me mi mis no o para
    pero por porque puede puedo que quien se si sin son su sus tu un una y yo
  `,
  pt: `
    as com como da das de do dos e ela ele em essa esse esta este eu faz fazer faco isso meu minha na nas no nos o
    onde os ou para pela pelo por porque posso pode qual quando que quem se sem seu sua um uma voce
  `,
  it: `
    che chi ci come con cosa cui da dal dalla de dei del della di dove e fare gli ho i il in io la le lo ma mi mio
    nel nella non o per perche posso puo qual quale quando questo si sono su un una
  `,
  nl: `
    de dat die dit een en er het hij hoe ik in is kan kun met mijn naar niet of om ook op te tot uit van voor waar
    wanneer wat welke wie wordt zijn
  `,
  pl: `
    a ale aby co czy dla do gdzie i ich jak jaka jaki jakie jest kiedy kto ktora ktory ma mam mi moge mozna moj moja
    na nie o od oraz po przez sie sa ten to w we z za ze
  `,
  tr: `
    ama bana ben benim bir bu da de en gibi hangi icin ile kim mi mu nasil ne neden nerede o ve veya ya
  `,
  ru: `
    а без бы был в вам вас во все вы где для до если есть же за зачем и из или их к как какая какие какой когда кто
    ли мне можно мой моя мы на не ни но о об он она от по почему при с со так то только у что это этот я
  `,
  uk: `
    або але в вам ви все вона він де для до з за зі й коли кто ми мені мій моя мною на не ні о об по при про таке та
    те ти то у це цей чи чому що як яка який які є і із
  `,
  el: `
    αν απο για δεν ειναι εχω η θα και με μετα μια μου μπορω να ο οι οταν πλην ποια ποιο ποιοσ ποτε που πρεπει προσ
    πωσ σε στη στην στο στον τα τη την τησ τι τισ το τον του των
  `,
  ar: `
    او ان انا اي اين إلى الى الذي التي عن على في كان كيف كم لا لم لماذا ما ماذا متى مع من هذا هذه هل هو هي و يمكن
  `,
  he: `
    או אם אני את איך איפה אל אנחנו זה זו יש כי כל לא לי למה מה מי מתי על עם של
  `,
  vi: `
    ai ba bi boi cac cach cai can cho co cua da de duoc gi hay hoac khi khong la lam mot nao nhu nhung o ra sao se
    tai the thi toi trong tu va ve voi
  `,
};

const sets = new Map(Object.entries(SMALL_WORDS).map(([language, words]) => [language, new Set(wordsOf(words))]));

const ofAny = new Set([...sets.values()].flatMap((words) => [...words]));

/**
 * Whether a search may ignore a word.
 * @param language a BCP 47 tag; without one, the word may be of any language
 */
export function isSmallWord(folded: string, language?: string): boolean {
  if (language === undefined) return ofAny.has(folded);
  return sets.get(language.split("-", 1)[0]?.toLowerCase() ?? "")?.has(folded) ?? false;
}
