"""Words that any request to a coding agent may hold, as Snowball stems.

How rare a word is cannot be counted in a small memory: of ten skills none says "dependencies", and yet
"update the dependencies" is about nothing in particular.  So these stems come with a rate, a share of
texts that may be expected to have them, which counting then corrects (``recall.lexical.Rarity``).
"""

from __future__ import annotations

EVERYWHERE = frozenset(
    """
    add bug build call chang check code correct creat current default done error exist fail file find first
    fix follow function go help implement issu last line list look make name need new now option problem
    project proper read remov return run same see set show start still support test thing tri type updat use
    valu version way work write ветк добав документац запуст измен исправ код комм комментар найд найт
    написа напиш нов нужн обнов ошибк покаж проблем провер проект работа сдела созда тест уда удал файл
    функц
    """.split()
)
"""Expected in a seventh of all texts."""

USUAL = frozenset(
    """
    action after again agent allow analys analyz anoth answer anyth api app applic approach architectur
    argument async attribut avoid await befor behavior behaviour best better big bottom branch break broke
    broken bump button cach callback case changelog ci class clean click client close color column command
    comment commit complet compon config configur constant content continu convert copi count coverag crash
    css dark data databas db debug delet depend deploy describ descript design dialog differ directori
    disabl doc document download edg element empti enabl endpoint english ensur entir entri environ event
    everyth exampl except explain failur fals fast featur field figur filter flag folder form format generat
    git github good great handl handler header helper hook html icon id idea ignor imag import improv index
    input insid instal instead integr invalid investig item job json key label languag larg length level
    limit link lint linux load local log logic long mac menu merg messag method migrat mode model modul move
    multipl next node none null number object ok okay open output packag page pagin parallel paramet pars
    part pass path pattern perform pipelin plan possibl pr prevent process product profil prompt properti
    pull push queri question queue readm record refactor releas renam replac repo repositori request respons
    result retri review row save schema screen script search second separ server servic session setup sever
    short simpl simpler size skip slow small solut sort sql state status step storag string structur style
    suit sync system tabl tag task templat text thank thread time timeout titl today tool top transform
    translat tree true understand unit upload url user util valid variabl verifi view warn week whole window
    word worker workflow wrong xml yaml yes yesterday
    """.split()
)
"""Expected in a twentieth of all texts."""

RATES = {**dict.fromkeys(USUAL, 0.05), **dict.fromkeys(EVERYWHERE, 0.15)}
