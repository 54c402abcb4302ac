"""Words that carry no topic, per language.

They are kept in the index and left out of a query that has better words; the same lists vote for
the language of a text.  Folded form (lower case, no accents), as ``skills.terms.fold`` gives it.
"""

from __future__ import annotations

ENGLISH = frozenset(
    """
    a about above after again all also am an and any anything are as at be because been before being below
    between both but by can cannot could did do does doing done down during each either else ever every few
    for from further get gets getting give given go goes going got had has have having he help her here hers
    him his how however i if in into is it its itself just know let lets like likely make makes making many
    may me might mine more most much must my myself need needs neither no nor not now of off often on once
    one only onto or other others our ours out over own please put quite rather really same see seem she
    should shall since so some someone something still such sure take tell than that the their theirs them
    then there these they thing things this those though through to too toward try trying under until up
    upon us use used uses using very via want wants was way we well were what whatever when where whether
    which while who whom whose why will with within without would yes yet you your yours dont doesnt didnt
    cant couldnt wont wouldnt isnt arent wasnt werent hasnt havent shouldnt im ive id ill youre youve theyre
    theres thats whats lets weve were s t re ve ll d m
    """.split()
)

RUSSIAN = frozenset(
    """
    а без более бы был была были было быть в вам вас ведь весь во вот все всего всех вы где да даже для до
    его ее ей ему если есть еще же за здесь и из или им их к как какая какие какой когда кто ли лучше мы на
    надо нам нас наш наши не него нее нет ни них но нужно ну о об однако он она они оно от очень по под
    пожалуйста после потом потому почему при про с сам свои свой свою себя со так также такой там те тем то
    того тоже той только том тот ты у уже хочу через чего чем что чтобы чтоб эта эти это этого этой этом
    этот я мне мной меня мой моя мои можно может сделай сделать помоги хотя
    """.split()
)

GERMAN = frozenset(
    """
    aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bist bitte da
    damit dann das dass dein dem den denn der des die dies diese diesem diesen dieser dieses doch dort du
    durch ein eine einem einen einer eines er es etwas fur gegen hab habe haben hat hatte hier ich ihm ihn
    ihnen ihr ihre im in ins ist ja jede jeder jedes jetzt kann kannst kein keine konnen konnte machen mal
    man mehr mein meine mich mir mit muss mussen nach nicht nichts noch nun nur ob oder ohne schon sehr sein
    seine seit sich sie sind so soll sollen sollte sondern uber um und uns unser unsere unter viel vom von
    vor wann war waren warum was weil welche welcher wenn wer werde werden wie wieder will wir wird wo wurde
    wurden zu zum zur zwischen
    """.split()
)

FRENCH = frozenset(
    """
    ai au aucun aussi autre aux avec avoir avez avons ce cela ces cet cette ceux chez ci comme comment dans
    de depuis des dois doit donc du elle elles en encore entre est et etaient etait ete etre eux fait faire
    faut il ils je la le les leur leurs lorsque lui ma mais me meme mes moi mon ne ni nos notre nous on ont
    ou par parce pas peu peut peux plus pour pourquoi quand que quel quelle quelles quels qui quoi sa sans
    se sera ses si son sont sous sur ta te tes toi ton tous tout toute toutes tres tu un une veux veut voila
    votre vos vous y c d j l m n s t qu
    """.split()
)

SPANISH = frozenset(
    """
    a al algo algun alguna ante antes aqui asi aun aunque bien cada como con cual cuando cuales de debe debo
    del desde donde dos e el ella ellas ellos en entre era eran es esa ese eso esta estaba estan estar este
    esto estos estoy fue fueron ha hace hacer hacia han hasta hay la las le les lo los mas me mi mis mucho
    muy nada ni no nos nosotros o otra otro otros para pero poco por porque puede puedo pueden que quien
    quiero se sea ser si sin sobre solo son su sus tambien tan tengo tiene todo todos tu un una uno unos y
    ya yo necesito favor
    """.split()
)

PORTUGUESE = frozenset(
    """
    a ao aos aquela aquele as ate cada com como da das de dela dele deles demais depois deve devo do dos e
    ela elas ele eles em entre era essa esse esta estao estar estava este estou eu faz fazer foi foram ha
    isso isto ja la lhe mais mas me mesmo meu minha muito na nada nao nas nem no nos nossa nosso num numa o
    onde os ou para pela pelas pelo pelos pode podem por porque posso qual quando que quem quero se sem ser
    seu seus sao so sobre sua suas tambem tem tenho todo todos tu um uma umas uns voce voces preciso favor
    """.split()
)

BY_LANGUAGE: dict[str, frozenset[str]] = {
    "en": ENGLISH,
    "ru": RUSSIAN,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "pt": PORTUGUESE,
}
