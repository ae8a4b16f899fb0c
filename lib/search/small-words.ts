import { wordsOf } from "./words";

/** Words of a question that say nothing about its subject. */
const SMALL_WORDS = new Set(
  wordsOf(`
    a about am an and any are as at be by can could did do does for from get has have how i if in into is it its me my no
    not of on or our please should so some that the their them there these they this to was we what when where which
    who why will with would you your
    aber als am an auf aus bei bin bitte da das dass dem den der des die dies diese du ein eine einem einen einer er es
    fur gibt habe haben hat ich ihr im in ist kann man mein meine mich mir mit muss nach nicht oder sie sind so soll
    uber um und uns von vor wann warum was welche wenn wer werden wie wir wird wo zu zum zur
    a ai au aux avec avoir ce ces cette comment dans de des du elle en est et faire il ils j je l la le les leur ma mes mon
    n ne nous on ou par pas peut peux plus pour pourquoi puis qu quand que quel quelle qui quoi sa se ses si son sont
    sur un une vous y
    al como con cual cuando de del donde el ella en es esta este hacer hago hay la las lo los me mi mis no o para pero
    por porque puede puedo que quien se si sin son su sus tu un una y yo
    as com como da das de do dos e ela ele em essa esse esta este eu faz fazer faco isso meu minha na nas no nos o onde os
    ou para pela pelo por porque posso pode qual quando que quem se sem seu sua um uma voce
    che chi ci come con cosa cui da dal dalla de dei del della di dove e fare gli ho i il in io la le lo ma mi mio nel
    nella non o per perche posso puo qual quale quando questo si sono su un una
    de dat die dit een en er het hij hoe ik in is kan kun met mijn naar niet of om ook op te tot uit van voor waar wanneer
    wat welke wie wordt zijn
    a ale aby co czy dla do gdzie i ich jak jaka jaki jakie jest kiedy kto ktora ktory ma mam mi moge mozna moj moja na
    nie o od oraz po przez sie sa ten to w we z za ze
    ama bana ben benim bir bu da de en gibi hangi icin ile kim mi mu nasil ne neden nerede o ve veya ya
    а без бы был в вам вас во все вы где для до если есть же за зачем и из или их к как какая какие какой когда кто ли мне
    можно мой моя мы на не ни но о об он она от по почему при с со так то только у что это этот я
    або але в вам ви все вона він де для до з за зі й коли кто ми мені мій моя мною на не ні о об по при про таке та те
    ти то у це цей чи чому що як яка який які є і із
    αν απο για δεν ειναι εχω η θα και με μετα μια μου μπορω να ο οι οταν πλην ποια ποιο ποιοσ ποτε που πρεπει προσ πωσ σε
    στη στην στο στον τα τη την τησ τι τισ το τον του των
    او ان انا اي اين إلى الى الذي التي عن على في كان كيف كم لا لم لماذا ما ماذا متى مع من هذا هذه هل هو هي و يمكن
    או אם אני את איך איפה אל אנחנו זה זו יש כי כל לא לי למה מה מי מתי על עם של
    ai ba bi boi cac cach cai can cho co cua da de duoc gi hay hoac khi khong la lam mot nao nhu nhung o ra sao se tai the
    thi toi trong tu va ve voi
  `),
);

export function isSmallWord(folded: string): boolean {
  return SMALL_WORDS.has(folded);
}
