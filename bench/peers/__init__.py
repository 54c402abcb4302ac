"""honed beside its peers, in one run: `python -m bench.peers`.

Each peer is installed from PyPI into an environment of its own and asked through a worker process that
speaks JSON lines; nothing of it is imported here, and none of its code or of the labelled sets is kept in
this repository.
"""
