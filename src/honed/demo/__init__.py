"""The bundled sessions that ``honed demo`` runs on.  All of them are made up."""
