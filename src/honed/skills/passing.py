"""What passes by itself or is somebody's to allow, as systems say it in other languages than English.

A lost network, a full disk or a missing right must never become "this command does not work here", whatever
the user's locale.  The phrases are those of the C library's and Windows' own messages; one row a language, in
the order disk, memory, network, time, rights.  Imports nothing: a hook recalls by signature.
"""

LANGUAGES = {
    "de": r"""
        kein Speicherplatz,nicht genug Speicherplatz,Plattenplatz (?:\(Quota\) )?ist überschritten
        Nicht genügend Hauptspeicher,Speicher nicht (?:an|zu)fordern
        Netzwerk ist nicht erreichbar,vom Kommunikationspartner zurückgesetzt,Fehler bei der Namensauflösung
        Wartezeit für die Verbindung ist abgelaufen,Zeitüberschreitung,zu viele Anfragen
        Keine Berechtigung,Operation ist nicht erlaubt,Zugriff verweigert""",
    "fr": r"""
        Aucun espace disponible,Espace insuffisant sur le disque,quota d'espace disque
        Ne peut allouer de la mémoire,Mémoire insuffisante,Impossible d'allouer de la mémoire
        réseau n'est pas accessible,ré-?initialisée par le correspondant,résolution (?:du|de) nom
        expiration du délai,délai (?:d'attente )?(?:est )?dépassé,trop de requêtes
        Permission non accordée,Permission refusée,Opération non permise,Accès refusé""",
    "es": r"""
        No queda espacio,espacio en disco insuficiente,cuota de disco
        No se (?:pudo|puede) asignar memoria
        La red es inaccesible,reinicializada por la máquina remota,resolución del nombre
        Expiró el tiempo,tiempo de espera agotado,demasiadas (?:peticiones|solicitudes)
        Permiso denegado,Operación no permitida,Acceso denegado""",
    "pt": r"""
        Não há espaço,espaço insuficiente,Quota de disco excedida
        Não foi possível alocar memória,Não é possível alocar memória
        rede (?:está fora de alcance|inalcançável),fechada pela outra ponta,resolução de nome
        Tempo esgotado,Conexão expirada,tempo limite,demasiados pedidos,muitas solicitações
        Permissão negada,Operação não permitida,Acesso negado""",
    "it": r"""
        Spazio esaurito,Non c'è più spazio,quota disco superata
        Impossibile allocare (?:la )?memoria
        rete non è raggiungibile,interrotta dal corrispondente,risoluzione del nome
        Connessione scaduta,tempo scaduto,troppe richieste
        Permesso negato,Operazione non permessa,Accesso negato""",
    "pl": r"""
        Brak miejsca na urządzeniu,Przekroczony limit dyskowy
        Nie można przydzielić pamięci
        Sieć jest niedostępna,zerwane przez drugą stronę,rozwiązywani[ua] nazw
        Upłynął limit czasu,Przekroczony czas oczekiwania,zbyt wiele żądań
        Brak dostępu,Operacja niedozwolona,Odmowa dostępu""",
    "ru": r"""
        не осталось свободного места,Нет места на устройстве,Недостаточно места,дисковая квота
        Не удалось выделить память,Невозможно выделить память
        Сеть недоступна,разорвано другой стороной,разрешени[ия] им[её]н
        Время ожидания,Превышено время,Слишком много запросов
        Отказано в доступе,Операция не (?:по|раз)решена,Операция не позволена""",
    "zh": r"""
        设备上没有空间,磁盘空间不足,超出磁盘限额,无法分配内存,网络不可达,连接被对[方端]重[设置],域名解析暂时失败
        连接超时,请求超时,请求过[多于],权限不够,权限被拒绝,没有权限,不允许的操作,拒绝访问""",
    "ja": r"""
        デバイスに空き領域がありません,ディスクの空き領域が不足,ディスク割り当て制限,メモリを(?:確保|割り当て)でき
        ネットワークに届きません,接続が相手からリセット,名前解決における一時的な失敗,タイムアウト
        リクエストが多すぎ,許可がありません,許可されていない操作,アクセスが拒否""",
    "ko": r"""
        장치에 남은 공간이 없음,디스크 공간이 부족,메모리를 할당할 수 없,네트워크가 접근 불가능
        상대편이 연결을 끊음,시간이? ?초과,요청이 너무 많,허가 거부,명령을 허용하지 않음,액세스가 거부""",
}
PASSING = "(?i)" + "|".join(
    phrase.strip()
    for row in LANGUAGES.values()
    for line in row.strip().splitlines()
    for phrase in line.split(",")
    if phrase.strip()
)
