"""Boots images in QEMU."""
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from .base import OUT

QEMU = ["qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none", "-serial", "none",
        "-nic", "user,model=lan9118"]


def command(name, arguments=()):
    """How to boot an image with `arguments`."""
    words = "".join(",arg=" + a.replace(",", ",,") for a in arguments)
    return [*QEMU, "-semihosting-config", "enable=on,target=native" + words,
            "-kernel", os.path.join(OUT, name + ".elf")]


def boot(name, arguments=(), timeout=60):
    """(exit status, what it printed). Status 124: it did not end in time."""
    try:
        done = subprocess.run(command(name, arguments), capture_output=True, timeout=timeout, check=False)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")
    except subprocess.TimeoutExpired as e:
        return 124, ((e.stdout or b"") + (e.stderr or b"")).decode("utf-8", "replace")


class Board:
    """An image that runs, its output so far, and its monitor."""

    def __init__(self, name, arguments):
        self.folder = tempfile.mkdtemp(prefix="mote-board-")
        words = command(name, arguments)
        at = words.index("-monitor")
        words[at + 1] = f"unix:{self.folder}/monitor,server,nowait"
        words = ["user,model=lan9118,id=net0" if w == "user,model=lan9118" else w for w in words]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.text = ""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.text += line

    def wait_for(self, pattern, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until and not re.search(pattern, self.text):
            time.sleep(0.05)

    def monitor(self, command):
        """A command of QEMU's monitor."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(10)
            s.connect(self.folder + "/monitor")
            text = b""
            while text.count(b"(qemu) ") < 2: # its greeting, and the end of the command
                if text.endswith(b"(qemu) "):
                    s.sendall(command.encode() + b"\n")
                text += s.recv(4096)

    def end(self, seconds=180):
        """(exit status, output); 124: it did not end in time."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = 124
        self.reader.join(5)
        shutil.rmtree(self.folder, ignore_errors=True)
        return status, self.text
