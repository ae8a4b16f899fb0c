/**
 * Words that people ask with > terms that documentation uses. English only and one-way: a pair that works both ways is listed
 * twice or has the words on both sides.
 */
const GROUPS = `
  2fa auth mfa otp > authentication ; 2fa mfa otp > multifactor ; 2fa authenticate mfa otp verify > verification ;
  abort > cancel terminate ; absent holiday leave vacation > absence ; accept approve > accept approve ; access allow
  authorize forbidden grant permit right role > permission ; activate enable > activate enable ; add generate made
  make > create ; add > insert ; addon extension plugin > addon extension plugin ; addressbook people person > contact
  ; addressbook dir > directory ; adjust alter amend update > change modify ; admin boss superuser > administrator ;
  agreement contract > agreement contract ; alert message notify popup remind > notification ; allow permit > allow
  permit ; allowlist whitelist > allowlist whitelist ; amount qty > quantity ; amt quantity total > amount ; analyse >
  analyze ; analytics report > analytics report ; analytics statistics > analytics statistics ; analyze > analysis
  analytics ; answer reply respond > answer reply respond ; answer respond > response ; antivirus malware > antivirus
  malware ; apikey secret token > key ; apikey key > token ; app application > app application ; appearance dark skin
  > theme ; appointment event > appointment event ; appointment meeting > appointment meeting ; arg argument param
  parameter > arg argument param parameter ; arrange > order sort ; article > item ; ask > request ; attachment
  document > file ; attempt retry > attempt retry ; attendee participant > attendee participant ; attribute > field ;
  audit sign > log ; auth > authorization ; authorise > authorize ; avatar image photograph picture > photo ; avatar
  image img photo pic > picture ; avoid block disallow stop > prevent ; backup snapshot > backup snapshot ; ban
  prevent > block ; ban deactivate pause sleep standby > suspend ; basket cart > basket cart ; batch mass multiple
  several > bulk ; began begun > start ; behaviour > behavior ; biggest highest largest > maximum ; bill invoice >
  bill invoice ; blacklist blocklist > blacklist blocklist ; blank empty > blank empty ; blocklist denylist >
  blocklist denylist ; bluescreen > bugcheck crash ; book reservation > book reservation ; bookkeeping > accounting ;
  boot startup > boot startup ; bootup > boot startup ; boss > manager supervisor ; bought > buy purchase ; break
  broke broken unable > fail ; broke > break ; broken > break corrupt ; broken exception fail failure mistake > error
  ; bsod > bugcheck ; bug defect > bug defect ; bug error glitch ticket trouble > issue ; built > build ; bulk lot >
  batch ; buy > purchase ; buyer debtor shopper > customer ; calendar cron > schedule ; callback handler > callback
  handler ; cam webcam > camera ; cancel void > cancel void ; candidate > applicant ; caption subtitle > caption
  subtitle ; cash money > currency ; cashier > pos register ; catalogue > catalog ; categorize label > category ;
  cellphone smartphone telephone > phone ; centre > center ; cert > certificate ; change edit modify > change edit
  modify ; charge fee > charge fee ; chargeback > dispute ; chart graph > chart graph ; chat > conversation ; cheap
  coupon promo rebate > discount ; cheap cost expensive > price ; check confirm ensure validate > verify ; cheque tick
  verify > check ; choose chose chosen pick > select ; chose chosen select > choose ; clear discard erase purge remove
  rid > delete ; clear delete detach drop erase kick rid uninstall unlink > remove ; client customer > client customer
  ; clip film movie vid > video ; clone copy duplicate > clone copy duplicate ; close > exit ; collaborator colleague
  coworker teammate user > member ; colleague coworker teammate > collaborator ; colleague coworker member people
  person teammate > user ; colour > color ; combine merge > combine merge ; comment footnote > note ; company
  organisation tenant workspace > organization ; comply > compliance ; compulsory prerequisite > require ; computer pc
  > computer pc ; concurrent parallel > concurrent parallel ; config > configure ; configure > setting setup ;
  connector integrate > connector integrate ; consolidate unify > merge ; consume > consumption ; continue resume >
  continue resume ; convert > conversion ; convert transform > convert transform ; corrupt damage > corrupt damage ;
  cost reimburse spend > expense ; count > number total ; coupon promo voucher > coupon promo voucher ; coupon promo >
  promotion ; courier > carrier ; cpu > processor ; crash > bugcheck exception fault ; crash error fail > failure ;
  create new > add ; create new > create new ; credential pw pwd > password ; creditor > payable vendor ; customise >
  customize ; cv > resume ; daemon > service ; dayoff holiday pto sick vacation > leave ; db > database ; deactivate
  disable > deactivate disable ; deadline overdue owe unpaid > due ; deal opportunity > deal opportunity ; debtor >
  receivable ; debug trouble > troubleshoot ; decline reject > decline reject ; decompress extract unzip > decompress
  extract unzip ; decrease shorten > reduce ; decrypt > encrypt ; default preset > default preset ; define mean >
  definition ; deliver > delivery shipment ; delivery ship > delivery ship ; delivery shipment > delivery shipment ;
  demo sample > example ; deny reject > deny reject ; denylist > blacklist ; deploy > publish ; describe > description
  ; desktop laptop > computer ; detail > information ; diagnose troubleshoot > diagnose troubleshoot ; diagram > chart
  ; directory folder > directory folder ; disappear gone lose lost vanish > missing ; discrepancy > difference ;
  discussion > conversation thread ; disk drive > disk drive ; display reveal shown view > show ; divide split >
  divide split ; dm msg voicemail > message ; doc file > document ; done > complete finish ; download export >
  download export ; downpayment prepay > advance ; downpayment prepayment > deposit ; downtime > outage ; downtime
  offline outage > unavailable ; drive > storage ; email mail > email mail ; employee staff > employee staff ; end
  finish > end finish ; enlarge shrink > resize ; enlarge resize shrink zoom > scale ; enroll register > enroll
  register ; enter type > input ; entry record > entry record ; env > environment ; estimate quotation quote >
  estimate quotation quote ; ethernet lan > network ; excel xls xlsx > spreadsheet workbook ; execute run > execute
  run ; exit quit > exit quit ; expensive price spend spent > cost ; expire > validity ; expiry timeout > expire ;
  extend > extension ; faq > help ; fast faster lag laggy optimize slow sluggish speed speedup > performance ; fast
  faster performance > speed ; favourite > favorite ; feedback > rating review ; fetch get grab obtain read > retrieve
  ; fill populate > fill populate ; find locate search > find locate search ; firm organization > company ; fix repair
  resolve > fix repair resolve ; font typeface > font typeface ; forbid forbidden > deny prohibit ; forecast
  prediction > forecast prediction ; forget forgot forgotten > reset ; forgot forgotten > forget ; forward redirect >
  forward redirect ; found > find ; fraud scam > fraud scam ; freeze hang unresponsive > freeze hang unresponsive ;
  freeze hang stuck wait > timeout ; freight > shipping ; froze frozen > freeze hang unresponsive ; function method
  routine > function method routine ; funnel > pipeline ; gadget > device ; gave give given > grant ; gdpr > privacy ;
  get pull retrieve > fetch ; glitch > bug ; gone missing > lost ; got > get receive ; grab screenshot > capture ;
  grant > allow authorize ; grey > gray ; gst taxman vat > tax ; gui ui > interface ; guide handbook > manual ; hack >
  breach compromise ; handbook howto instruction manual tutorial > guide ; harddrive hdd ssd > disk drive ; helpdesk >
  support ticket ; hid > hide ; hidden > hide invisible visibility ; hide > invisible visibility ; hire recruit > hire
  recruit ; hot overheat > temperature thermal ; hotfix patch > hotfix patch ; hotkey > shortcut ; hyperlink link url
  > hyperlink link url ; ignore omit > exclude ; ignore skip > ignore skip ; img photo photograph pic picture
  screenshot > image ; import upload > import upload ; inbox mailbox > inbox mailbox ; income revenue > income revenue
  ; incorrect wrong > incorrect wrong ; info > detail information ; init initialise > initialize ; ink toner >
  cartridge ; install setup > install setup ; invalid > incorrect ; inventory stock > inventory stock ; issue problem
  > issue problem ; item product > item product ; iterate loop > iterate loop ; junk spam > junk spam ; keep retention
  > keep retention ; kept > keep ; kill > stop terminate ; kpi > metric ; label tag > label tag ; lag laggy slow
  sluggish > latency ; language locale > language locale ; late overdue > late overdue ; latest newest > current
  recent ; launch open > launch open ; launch start > launch start ; ledger > account journal ; lib package sdk >
  library ; lib > package ; licence seat > license ; limit max maximum > limit max maximum ; limit restrict > limit
  restrict ; limit ratelimit > quota ; localisation > localization ; log login logoff logon logout signin signout sso
  > sign ; login logon signin > authenticate ; look preview see seen show > view ; lose lost > lose lost ; loud >
  volume ; lower reduce > decrease ; lowest min smallest > minimum ; macro script > macro script ; maintain >
  maintenance ; mandatory require > mandatory require ; meeting > event ; membership plan subscribe > subscription ;
  mic > microphone ; mismatch > difference discrepancy ; mobile phone > mobile phone ; money paid pay > payment ;
  moneyback refund > credit ; moneyback overcharge reimburse > refund ; monitor screen show view > display ; mouse
  pointer > cursor ; move transfer > move transfer ; newsletter > campaign email mail ; nickname > alias username ;
  notification remind > alert ; null > none ; offline unplug > disconnect ; often > frequency interval ; optimise
  speedup > optimize ; outstanding unpaid > open ; outstanding unpaid > outstanding unpaid ; overwrite substitute swap
  > replace ; overwritten > overwrite ; owe > balance outstanding receivable ; paid payment > pay ; part > component ;
  passcode passphrase password > passcode passphrase password ; paycheck payslip salary wage > payroll ; percent >
  percentage ; permission privilege > permission privilege ; phishing > fraud ; plug > connect ; popup prompt > dialog
  ; postcode > postal ; postpone snooze > postpone snooze ; powerpoint ppt > presentation slide ; preference setting >
  preference setting ; press tap > click ; print > printer ; procedure subroutine > function routine ; procure
  purchase > procure purchase ; produce > manufacture ; profile > account ; program > application software ; prolong >
  extend ; query search > query search ; questionnaire > survey ; quota throttle > limit ; ram > memory ; ran >
  execute run ; ratelimit slow > throttle ; reachable unreachable > connectivity ; reboot restart > reboot restart ;
  receipt receive > receipt receive ; reconcile > reconciliation ; recover > recovery ; recover recovery reset revert
  rollback undelete > restore ; recur repeat > recur repeat ; recycle wastebasket > trash ; refresh reload > refresh
  reload ; refuse > deny reject ; regex > expression pattern ; reinstall > install ; rename > name ; repo > repository
  ; request > submit ; rescue restore undelete > recover ; resend > retry send ; restock > replenish ; reverse
  rollback undo > revert ; revert undone > undo ; revision version > revision version ; ribbon > toolbar ; row >
  record ; sack > terminate ; salary wage > salary wage ; scan > scanner ; screen track > monitor ; seek > search ;
  sell > sale ; seller > merchant vendor ; send sent > send sent ; send > transfer transmit ; separate > split ;
  server > host ; shop storefront webshop > store ; sign signature > sign signature ; signin username > login ; signup
  > enroll register registration ; site website > site website ; sleep standby > sleep standby ; sms > text ; software
  > application ; sold > sale sell ; solve troubleshoot > resolve ; specify > define ; spent > spend ; spreadsheet >
  csv excel worksheet ; ssl tls > ssl tls ; sso > federation saml ; stat > analytics statistics ; state status > state
  status ; steal > compromise theft ; stocktake > inventory ; stolen > compromise steal theft ; stop > disable ; stuck
  > hang unresponsive ; subscription tier > plan ; succeed > success ; sum total > sum total ; supplier vendor >
  supplier vendor ; suspend > suspension ; sync synchronize > sync synchronize ; synchronise > synchronize ; talk >
  chat ; team > group ; tell told > notify ; test verify > validate ; threw thrown > throw ; todo > task ; toggle >
  enable switch ; trackpad > touchpad ; translate > language localization ; trash > bin recycle ; trim > crop ; try >
  attempt ; turn > disable enable ; turnover > revenue ; tweak > adjust ; unavailable > available outage ; undo >
  reverse ; unpack > extract ; upgrade > update ; use > usage ; userid > username ; virus > antivirus malware ; wifi
  wireless > wifi wireless ; wifi wlan > wifi wlan ; wildcard > pattern ; wipe > erase ; worker > employee personnel ;
  workflow > automate ; written > save write ; wrong > invalid ; wrote > write ; zip > archive compress postal
`;

const meanings = new Map<string, string[]>();
for (const group of GROUPS.split(";")) {
  const [words = "", terms = ""] = group.split(">");
  const means = terms.trim().split(/\s+/);
  for (const word of words.trim().split(/\s+/)) {
    meanings.set(word, [...(meanings.get(word) ?? []), ...means.filter((term) => term !== word)]);
  }
}

/**
 * Other wordings of a search word in documentation, independent of the workspace.
 * @param language a BCP 47 tag
 */
export function documentedAs(folded: string, language: string): readonly string[] {
  return /^en\b/i.test(language) ? (meanings.get(folded) ?? []) : [];
}

/** Words that only phrase a request. Articles with some of the words are scored without them, unless the search has no others. */
const FILLERS = new Set(
  `again already and any anyone anything because before cannot does everyone everything find get gets getting go goes going got
  help here know let lets make many more most much need now one other over really same see show someone something still tell
  there thing things two use used using want way while within without`.split(/\s+/),
);

export function isFiller(folded: string, language: string): boolean {
  return /^en\b/i.test(language) && FILLERS.has(folded);
}
