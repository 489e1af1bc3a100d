"""Starts the program that this package has installed among the scripts of its Python."""

import os
import subprocess
import sys
import sysconfig


def program():
    """Its path. It stands where this Python keeps scripts, or the user's own ones (`pip --user`)."""
    name = "promptls" + (sysconfig.get_config_var("EXE") or "")
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    places = [os.path.join(sysconfig.get_path("scripts", scheme), name) for scheme in schemes]
    for place in places:
        if os.path.isfile(place):
            return place
    sys.exit("promptls is not at " + ", nor at ".join(places) + "; install the package again")


if __name__ == "__main__":
    command = [program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    # On Windows, what replaces a process runs on behind the back of who waits for it.
    sys.exit(subprocess.call(command))
