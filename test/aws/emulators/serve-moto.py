"""Serves moto on a port of 127.0.0.1, one request at a time.

moto compares the condition of a put and stores its body without a lock between the two, so that of two writers at once both
may be told that they were first. S3 lets one of them win.
"""

import os
import signal
import sys
import threading

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

port = int(sys.argv[1])
os.environ.setdefault("MOTO_PORT", str(port))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))

moto = DomainDispatcherApplication(create_backend_app)
turn = threading.Lock()


def one_at_a_time(environ, start_response):
    with turn:
        return list(moto(environ, start_response))


run_simple("127.0.0.1", port, one_at_a_time, threaded=True)
