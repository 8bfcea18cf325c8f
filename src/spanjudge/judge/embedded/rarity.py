"""How much a token tells: the rarer in ordinary text, the more it says that two texts speak of the same thing."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

RAREST: Final = 6.5
_NUMBER: Final = 4.5
_PAIR: Final = 3.0

# Natural logarithm of texts over texts that hold the stem, in steps of a half, for stems that stand in at least one of
# 250 of the 4,165 English contexts of AttributionBench (dev), WiCE (dev), RGB (en_fact) and TREC-QA (dev).
# Printed by benchmarks/fit_embedded.py --rarity.
STEMS: Final = {
    2.0: ("first lik new said tim titl work year"),
    2.5: (
        "com data day get includ last liv mak many meta need news now part peopl play say see show stat tak way world"
    ),
    3.0: (
        "against american another around author back bas becom best business call chang community company content "
        "continu country current different end even experienc fami film find follow found gam good great group help "
        "high history hom information issu know lead lif long look mad member million much nam national next number "
        "open plac plan post provid publish read real record releas report result right season second servic set sign "
        "sinc sit star start story support team th thing today top unit university use used view want week well win"
    ),
    3.5: (
        "accord act action add address age album allow alway america among announc appear april archiv area art "
        "articl artist ask august availabl award b becam big black board book bring build c car cas caus center "
        "children city clos club collection comment complet consider court creat dat develop development direct "
        "director ear education email event every exampl far featur feel field final form former fre friend full "
        "futur general giv go going government hand head health hit hour hous however human imag important increas "
        "industry interest international involv john join july jun keep known larg later latest law learn leav left "
        "level lin link list local los lot lov main man march mark market mean media meet month mov music near not "
        "november october offer offic official often old onlin order organization original pag past performanc photo "
        "player pleas point policy power present president previous problem process program project public put receiv "
        "recent relat requir research return review rol run school search september serv sery several shar singl "
        "social song south spac stag still student study system talk term think tour train turn u updat using video "
        "war watch water whit women won york young"
    ),
    4.0: (
        "abl access account across activity actual advanc affect ago air almost already although angel annual "
        "approach association aug australia away bad band begin behind believ benefit better bill blog body born box "
        "break british buy cam canada captur career cast century challeng championship check chief class co collect "
        "colleg common competition concern condition contact contain cost council cours cover credit cultur cup dai "
        "datetim david deal death debut decad december decision degre describ design detail digital don due e earn "
        "economic edition editor effect effort english enough enter environment especial establish ever everyon "
        "executiv expect fac facebook fact fall fan february figur financial fir focus football forc forward founder "
        "friday front fund g given global goal got grow guid half happen hard heart held higher hold hop host hug i'm "
        "idea ii impact improv individual influenc internet interview j jam january job justic key kid kind king lady "
        "lat launch leader leagu least less let light limit littl lost low machin magazin major management match "
        "material matter measur medical men method michael minut miss model money movi mr museum nation night non "
        "north opportunity p park particular partner party pass percent perform period person personal physical "
        "pictur pm polic political pop popular position possibl potential practic premier press pric privat produc "
        "product professional publisher quality question quick rac rang rat reach reason red reduc refer referenc "
        "relationship remain represent reveal risk rock room royal rul sal sav scienc scor section security seem seen "
        "select short sid significant similar skip small society someon someth sound sourc special sport st staff "
        "stand standard statement step stop street strong styl subscrib sunday taken technology tell test text thank "
        "third though thought together told took total track tru try tv twitter typ uk understand usual valu variety "
        "version visit vot we'r web websit went west wid william word writ written yet you'r"
    ),
    4.5: (
        "ability academy achiev activ actor actress ad adam addition additional adult africa african agency al along "
        "amazon amount analysis andrew answer anyth app appearanc application appropriat arriv associat attack "
        "attempt attend attention audienc australian authority averag baby background bank bar basic battl bear beat "
        "began beyond billion bit block blood blu brand brief brother brown built california campaign canadian "
        "capital card category celebrat centr ceo certain chain chairman champion chanc channel character charg chart "
        "chicago child china choic choos civil claim classic clear click climat coach cod color committe "
        "communication compar complex computer conduct conferenc confirm conflict connect consumer contribut control "
        "county coupl creativ crim criminal critical cross cultural cut de dead debat decid deep deliver demand "
        "department despit determin died differenc difficult discover diseas district division doubl dr drama draw "
        "driv drop earlier earth east economy edg effectiv election els employe energy england enjoy ensur "
        "entertainment entir entry environmental equal era estimat et europ everyth evidenc excit exclusiv exist "
        "expand expert explain explor express extend eye f facility factor fail fair famous fashion father federal "
        "felt femal festival fight fil fill finish firm fit food foundation franc french gain gav generation georg "
        "german germany getty gift girl goe grand grant greater green ground h hear heat highest hill hollywood "
        "hospital hot hundr i'v incom independent india insid instead institut investment island jackson jan johnson "
        "jon jordan journal k kat kill knew label lack land languag largest leadership led legal library listen "
        "location log london longer loss lower maintain mal manag manager mar master memory mental messag middl mik "
        "military mind minister mission modern moment monday morn mother movement multipl musical n natural netflix "
        "network newsletter nov num occur oct officer operat operation opinion other outsid overall owner paid paint "
        "paper parent patient paul pay perhap permanent pick platform politic population positiv prepar pretty "
        "prevent primary print privacy priz probab producer production professor profil promot protect publication "
        "purchas purpos queen quit r radio rais rank rather reader ready reality reflect region register regular "
        "relativ remember rep republican reserv resourc respons richard rid ris river road robert roll round russia "
        "russian saf safety san saturday saw scal scen schedul screen sea seat self sell send senior sens separat "
        "serious sexual shoot shop singer situation siz skill smith solution sometim son soon southern speak specific "
        "speech spend spent spot station status stay stor strategy stream structur studio subject success successful "
        "suggest suit summer sun super suprem sur surpris swift tabl talent taylor teach teacher television theater "
        "themselv thoma throughout thursday tool topic toward town trad travel treatment trump trust tuesday typical "
        "union uniqu usa user v various victory violenc voic volum wait walk wall washington wayback we'v wednesday "
        "welcom whether whol wif winner woman writer wrong www x"
    ),
    5.0: (
        "abus academic accept accurat accus achievement acquir acquisition administration advantag advertis "
        "advertisement advic affair agent aggressiv agr agre agreement ahead aid aim alert alic alongsid animal ann "
        "anniversary announcement anti anyon appeal appli appoint apr arena argu arm arrest asia asian aspect "
        "assistant assum attorney audio avoid balanc ban basis basketball bay bbc beach beautiful beauty behavior "
        "biggest billboard bird birth bond bonus boston bowl boy bridg britain broad broken brought brows ca calendar "
        "camp campus cancel cancer candidat cap capacity captain carolina carry cash catch cbs cd celebration "
        "celebrity cent central ceremony chair charl chris christian church circl citizen classical clean climb "
        "clinic cloud cold collaboration combin comedy comic commercial commission commit compet component "
        "composition comprehensiv comput concept concert congress connection consequenc consistent constant "
        "construction contemporary contest context contribution conversation cool copy copyright corner corporat "
        "corporation correct count crash crawl crew cricket crisis critic crowd crown crucial customer cycl damag "
        "danc dangerous daniel dark daughter dav davis dedicat defeat defend defens defin definit definition democrat "
        "democratic depend devic devil die direction discuss discussion disney display distanc divid doctor document "
        "documentary domestic download dozen dream drug eagl easi easy eat edit elect electronic element elizabeth "
        "emerg emergency emotional enabl encourag engag engineer enhanc episod error essential estat european "
        "eventual ex exact exchang exercis exhibition expos extensiv external extra extrem faculty fam fast favor "
        "favorit fear fee feedback feet fellow fifth fin financ flag flight floor flow forb foreign forest formal "
        "forum fourth fox franchis francisco freedom frequent ful fun function gallery garden gas gather gay gear "
        "gender generat genr giant god gold golden gon googl graduat graphic greatest grew growth guardian guest gun "
        "guy hall handl hang happy harry healthy heard heavy hernandez highlight himself hir historic historical "
        "hockey honor honour hotel household hunt husband i'll ice identify identity iii immediat implement incident "
        "index indian indicat initial initiativ injury innovation insight inspir instagram institution insuranc "
        "integrat intelligenc intend interaction introduc invest investigation invit iraq israel item japan jean jeff "
        "jersey joe joint jr judg jul jump junior kept kick kingdom kit knowledg l labor lak larger latin lawyer lee "
        "legend legislation length letter load locat louis lyric mail majority map marri martin mass massiv mayb "
        "meant medicin membership mention met metal michigan mil min minor mix mobil monitor most mountain movy ms "
        "murder musician nativ natur necessary negativ net newspaper nfl nomination normal notic novel nuclear o "
        "object observer obtain obvious older one option org organiz oscar otherwis outcom own pacific pain pair "
        "palac panel participat partnership pattern payment peac peak penalty perceiv perfect perspectiv peter phas "
        "phon photograph physic piec pitch planet plant plus poor pound powerful predict presenc preserv pressur prim "
        "princ principl prison pro profit programm progress proper property propos protection prov pull push quarter "
        "ran rapid rar ray rd recall recogniz recommend regard regional regulation relation relevant remov replac "
        "reporter representativ republic request researcher resident respect respond responsibility responsibl rest "
        "retail revenu revolution root ros rout row russell sam sampl scientist scott secret secretary sector secur "
        "seek sensitiv sent sep session sever sex shap shift ship shot signal simp simpl sing sir sister skin sky "
        "sleep slow smaller soccer soft sold soldier solo solv sort spe speaker specy spider spirit sponsor spring "
        "squar stadium stev stewart ston straight strategic stress strik struggl subscriber subscription suffer "
        "supporter surfac surround surviv symptom tag tal tap target task tax techniqu temperatur tend texa theatr "
        "theory therefor they'r thousand threat threaten thus ticket tie tip tom ton tony touch tournament "
        "traditional traffic transfer treat trend trial trip trophy troubl ultimat unabl universal unlik upcom valley "
        "van vehicl ventur vic victim victoria virtual vision visual vs w wal walker warn wav wear wed weekend weight "
        "wild window winslet wish wood worker worldwid worth wrot y yes you'll younger youth youtub z"
    ),
    5.5: (
        "absolut activist admit adopt advocat aged aircraft allen allianc alon alternativ amaz amelia amy anthony "
        "anxiety apparent appl approv approximat architect army arsenal assess assessment asset assist assistanc "
        "athlet atlantic atmospher attach automatical bag ball belief bid blabbermouth bob boost border brain brazil "
        "brexit brian bright broadcast bronx buckingham budget burn camera capability capabl carri cat cell chemical "
        "chemistry childhood chines circuit circumstanc cit clark client cloth coast coffe cognitiv col colleagu "
        "commitment competitiv compris conclud confidenc conservation consideration consist consum controll convinc "
        "cooky cor coverag creation creator cry dalla databas dec declar delay delivery democracy demonstrat dennis "
        "deputy developer diabet disability disorder distinguish distribut dixson doctrin dog dollar donald donat "
        "door doubt draft drink driver duk dvd ed editorial edt edward elder eliminat empir en encounter epic "
        "equipment equity escap evaluat examin excellenc excellent experiment faith fals favourit fc feb feed fell "
        "fighter fish fix fixtur florida forget format formula foster frank fundamental gap glob gov governanc "
        "governor grad guard guitar guitarist hat headlin headquarter hero hid hidden hol hors houston hunter i'd icc "
        "ideal identifi illustrat imagin immigration implementation importanc inc incorporat increasing incredibl ind "
        "industrial info instanc interactiv internal intervention investigat investor ireland ita italian jason jet "
        "jim jonathan journalism journalist journey kevin km knight la lab landscap latter laugh lawrenc leas leg "
        "legacy lion liquid ltd luk lung mainstream manner matt max maximum meanwhil mexico miami michell mid "
        "ministry missil mo molecular multi murphy myself narrow navigation nba nomine northern nurs offensiv oh oil "
        "oldest oliver olympic onto opera opponent orang orchestra outlin outstand overview pac pack packag passion "
        "path permission pet photographer phras pilot pioneer plenty poll pollution possib poverty pre prefer "
        "pregnant presentation presidential principal prior priority procedur proceed prominent promis protest pt "
        "quot rap reaction realiz reception reform rely reputation requirement respectiv restor retailer retir "
        "retirement rich ring roster rough ryan salt scholar scholarship script seattl selection senat sentenc shock "
        "shown slight smok snak softwar solar sorry specifical spin spread sprint starbuck stephen stock storag "
        "strength strip studi stuff subsequent sudden summary summit survey sydney symbol syria tackl tech teen teeth "
        "tennis them thriller tradition trailer transition transport tre tri tribut turkey tweet twic undergraduat "
        "unusual urban useful valid vega veteran violat visitor vocal voter ward wast we'll weapon western wikipedia "
        "wind windsor wing wisconsin witness wolf wonder yal you'v yourself zealand"
    ),
}
_RARITY: Final = {stem: value for value, stems in STEMS.items() for stem in stems.split()}


@lru_cache(maxsize=16384)
def rarity(key: str) -> float:
    """Tell how rare a token is, from 1.5 (stands in one text of four) to 6.5 (in one of 400 or fewer).

    >>> rarity("year"), rarity("zeugma"), rarity("1879")
    (2.0, 6.5, 4.5)
    """
    if not key.isascii():
        return _RARITY.get(key, RAREST) if key.isalpha() and key < "\u2e80" else _PAIR
    return _NUMBER if key[0].isdigit() else _RARITY.get(key, RAREST)
