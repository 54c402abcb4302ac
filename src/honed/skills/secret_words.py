"""Which names say "secret", and which values stand for one without being one.

Imports nothing: a hook may load it.
"""

# Substrings by which an occurrence is found in the lower-cased text (each costs a search, so few; the
# others only where a letter of theirs occurs), and what a name that ends in
# the word says of its value.  Names are split at ``_ - .`` and at humps; see ``secret_values``.
ASCII_HINTS = tuple(
    """
    pass pwd secret token key cred _pw _pin _pat auth" senha clave contrase kennwort wachtwoord
    haslo parola sifre mdp
    """.split()
)
PLAIN_ENDINGS = (("pass", "ed", "es", "ing"), ("key", "s", "board", "word", "words"), ("token", "s"))
"""Endings that make an ordinary word of a hint: no name that ends so has a secret for its value."""
OTHER_HINTS = tuple(
    "contraseña,пароль,пароля,секрет,токен,ключ,密码,密碼,口令,密钥,令牌,パスワード,トークン,비밀번호,암호,토큰,şifre,hasło,"
    "lösenord,jelszó,κωδικός,mật khẩu,รหัสผ่าน,סיסמה,كلمة المرور,كلمة "
    "السر,पासवर्ड,clé,contrasenya,parolă,暗証番号".split(",")
)
OTHER_TOKEN_HINTS = ("секрет", "токен", "ключ", "密钥", "令牌", "トークン", "토큰", "clé")

PASSWORD_WORDS = frozenset(
    """
    password passwd pwd pass passphrase passcode pw passwort kennwort wachtwoord senha contrasena
    contraseña contrasenya clave mdp motdepasse haslo hasło parola parolă sifre şifre heslo
    losenord lösenord jelszo jelszó salasana adgangskode passord pin geheim userpass rootpass
    """.split()
)
TOKEN_WORDS = frozenset(
    """
    secret token apikey secretkey accesskey authkey privatekey authtoken accesstoken bearertoken
    sharedkey accountkey masterkey signingkey encryptionkey clientsecret credential credentials
    creds cred jeton chave auth apitoken refreshtoken sharedaccesskey appkey appsecret jwtsecret
    licensekey pat
    """.split()
)
# Endings of one-word names: ``dbpassword``, ``myapptoken``.
PASSWORD_ENDINGS = ("password", "passwd", "passphrase", "passwort", "kennwort")
TOKEN_ENDINGS = (
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authtoken",
    "accesstoken",
    "clientsecret",
    "apitoken",
)
# "key" says nothing by itself: ``cache_key``, ``primary_key``.  With one of these before it, it does.
KEY_QUALIFIERS = frozenset(
    """
    api secret access private auth encryption encrypt decryption signing sign account master shared
    license storage subscription consumer app application deploy deployment webhook jwt hmac aes
    service integration admin client server host function functions openai anthropic google stripe
    aws azure github gitlab sendgrid twilio mailgun datadog dd algolia maps gemini groq mistral
    cohere deepseek huggingface security activation enc crypto session cookie rsa ssh gpg pgp data
    restricted preshared live test write ingest sentry newrelic
    """.split()
)
# Behind the secret word these leave it a secret: ``password2``, ``TOKEN_PROD``, ``secret_value``.
HARMLESS_SUFFIXES = frozenset(
    """
    prod production dev development stage staging test testing qa uat new old confirm confirmation
    repeat again value base text plain plaintext raw default current main live sandbox primary
    secondary admin root user string str encoded b64 base64 enc env var local ci backup rw ro read
    write replica master slave db database
    """.split()
)
# Before "token" these make it a word of parsers and models.
OTHER_TOKENS = frozenset(
    """
    next page nextpage continuation sync max min pad eos bos unk sep cls mask stop start end
    special prompt completion input output total num per each design first last current lex lexer
    syntax cancellation cancel change
    """.split()
)

PLACEHOLDERS = tuple(
    """
    your example placeholder redacted replace dummy todo masked hidden xxxxx fixme sample abc123
    undefined
    """.split()
)
PLACEHOLDERS_BY_WORD = (
    ("change", ("changeme", "change_me", "change-me")),
    ("insert", ("insert_", "insert-")),
    ("here", ("goeshere", "_here", "-here")),
    ("secret", ("mysecret", "my_secret", "my-secret")),
    ("real", ("notreal", "not-real", "not-a-real")),
    ("foo", ("foobar", "foo-bar")),
)
"""Marks of a placeholder by a word that they share: each search costs every value."""
PLACEHOLDER_SIGNS = ("***", "....", "…", "{{", "${", "$(", "#{", "%(", "%s", "{0}")
# Words with digits in them that name a thing; a single letter only as a word of its own (``v2``).
TECHNICAL = (
    r"(?:(?:sha|shake|blake|aes|rsa|ecdsa|ed|curve|secp|rs|hs|es|ps|base|utf|ucs|iso|int|uint"
    r"|float|complex|char|amd"
    r"|arm|aarch|win|mac|http|https|oauth|ipv|tls|ssl|log|python|py|node|java|jdk|php|ruby|go|ecma|md|crc|ec"
    r"|version|web|mp|vp|step|phase|part|level|tier|room|page|line|row|col|item|test|case|user"
    r"|bcrypt|scrypt|pbkdf|argon|varchar|rfc|cve|vol|no|nr|id)[0-9]{1,4}"
    r"|[a-z][0-9]{1,4}[a-z]?(?![a-z0-9]))"
)
