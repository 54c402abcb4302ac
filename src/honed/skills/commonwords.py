"""Words that any request to a coding agent may hold, as Snowball stems.

How rare a word is cannot be counted in a small memory: of ten skills none says "dependencies", and yet
"update the dependencies" is about nothing in particular.  So these stems come with a rate, a share of
texts that may be expected to have them, which counting then corrects (``recall.lexical.Rarity``).
"""

from __future__ import annotations

EVERYWHERE = frozenset(
    """
    add app branch bug build call chang check code com commit correct creat css current default done error
    exist fail file find first fix follow function git go help html implement io issu js json jsx last lib
    line list look main make md messag name need new now option org path problem project proper py read
    remov return rs run same see set show src start still support test text thing tool tri ts tsx txt type
    updat use user valu version way work write yaml yml ветк добав документац запуст измен исправ код комм
    комментар найд найт написа напиш нов нужн обнов ошибк покаж проблем провер проект работа сдела созда
    тест уда удал файл функц
    """.split()
)
"""Expected in a seventh of all texts."""

USUAL = frozenset(
    """
    abov accord action after again agent ai allow analys analyz anoth answer anyth api applic approach
    architectur argument async attribut avail avoid await base bash befor behavior behaviour below best
    better big bin bottom break broke broken bullet bump button cach callback case certain changelog chat ci
    class clean cli click client close cmd color column command comment common complet compon config
    configur constant content context continu convert copi count coverag crash dark data databas db debug
    delet depend deploy describ descript design dev dialog differ directori disabl dist doc document doubl
    download e2e earlier edg element empti enabl endpoint english ensur entir entri env environ event
    everyth exact exampl except explain failur fals fast featur field figur filter flag folder form format
    full general generat github gitlab good great handl handler header helper home hook icon id idea ignor
    imag import improv index init input insid instal instead integr invalid investig item job key kind label
    languag larg later length level limit link lint linux llm load local log logic long mac master mcp menu
    merg method migrat miss mode model modul move multipl next node none note null number object ok okay
    open output outsid packag page pagin parallel paramet pars part partial pass pattern perform phase
    pipelin plan possibl pr prevent previous process prod product profil prompt properti pull push queri
    question queue readm recent record refactor relat releas relev renam replac repo repositori request
    respons result retri review root row save schema screen script sdk search second section separ server
    servic session setup sever shell short simpl simpler singl size skip slow small solut sort sql state
    status step storag string structur style suit summari sync system tabl tag task templat termin thank
    thread time timeout titl tmp today top transcript transform translat tree true ui understand unit upload
    url util valid variabl various verifi view warn week whole window word worker workflow wrong xml yes
    yesterday zsh
    """.split()
)
"""Expected in a twentieth of all texts."""

RATES = {**dict.fromkeys(USUAL, 0.05), **dict.fromkeys(EVERYWHERE, 0.15)}
