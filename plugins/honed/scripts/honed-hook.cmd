@echo off
rem Hands a hook on to the honed of this machine; ends with status 0 whatever happens.
rem Where `honed init` has wired the client by itself this stands back: each event is handled once.
setlocal
set "user=%USERPROFILE%\.codex"
if defined CODEX_HOME set "user=%CODEX_HOME%"
findstr /r /c:"honed-hook.* --agent" "%user%\hooks.json" ".codex\hooks.json" >nul 2>nul && exit /b 0
set "home=%LOCALAPPDATA%\honed"
if defined HONED_HOME set "home=%HONED_HOME%"
if exist "%home%\bin\honed-hook.cmd" (
  call "%home%\bin\honed-hook.cmd" %* 2>nul
) else (
  honed hook %* 2>nul
)
exit /b 0
