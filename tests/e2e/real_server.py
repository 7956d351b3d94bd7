"""What real servers share: a process or more in a folder of its own, on free ports."""

import os
import subprocess
import time

from nginx import free_ports


def only_if(condition):
    """A decorator for tests that other runs do not have."""
    return lambda test: test if condition else None


class RealServer:
    """A class says its name, how many ports it has, and its commands; ports: what it got."""

    name = None
    how_many = 1
    env = {"PATH": "/usr/sbin:/usr/bin"}
    processes = ()

    def __init__(self, folder, certs):
        self.folder, self.certs = str(folder), certs
        self.begin()
        for attempt in range(5):
            self.ports = free_ports(self.how_many)
            with open(self._path("output"), "wb") as output:
                self.processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                                   stderr=subprocess.STDOUT, env=self.env) for command in self.commands()]
            if all(self._listens(process, port) for process, port in zip(self.processes * self.how_many, self.awaited())):
                return
            self.close()
        with open(self._path("output"), errors="replace") as output:
            raise RuntimeError(f"{self.name} did not start: {output.read()[-500:]}")

    def begin(self):
        """What is done once."""

    def commands(self):
        """Gives the commands; writes what they read, for self.ports."""
        raise NotImplementedError

    def awaited(self):
        """The ports that have to listen, of one process after the other in turns."""
        return self.ports

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, data, mode=0o644):
        path = self._path(name)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        os.chmod(path, mode)
        return path

    @staticmethod
    def _listens(process, port):
        """Looks into the kernel's table: a connection would be a client of the server's."""
        wanted = f":{port:04X} "
        end = time.monotonic() + 30
        while time.monotonic() < end and process.poll() is None:
            for table in ("/proc/net/tcp", "/proc/net/tcp6"):
                with open(table) as f:
                    if any(wanted in line and line.split()[3] == "0A" and line.split()[1].endswith(wanted[:-1])
                           for line in f):
                        return True
            time.sleep(0.02)
        return False

    def close(self):
        for process in self.processes:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
