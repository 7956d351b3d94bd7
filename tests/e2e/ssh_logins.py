"""A server of SSH by asyncssh, for logins that OpenSSH's sshd has only for accounts of the system. One folder of files."""

import asyncio
import threading
import warnings

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ciphers that the package still has
        import asyncssh
except ImportError:
    asyncssh = None

USER, PASSWORD = "user", "pass word"


class Account(asyncssh.SSHServer if asyncssh else object):
    """One connection: which ways lead in, and which were tried."""

    def __init__(self, server):
        self.server = server

    def begin_auth(self, username):
        return True

    def public_key_auth_supported(self):
        return "publickey" in self.server.ways

    def validate_public_key(self, username, key):
        self.server.tried.append("publickey")
        return username == USER and key in self.server.keys

    def password_auth_supported(self):
        return "password" in self.server.ways

    def validate_password(self, username, password):
        self.server.tried.append("password")
        return (username, password) == (USER, PASSWORD)

    def kbdint_auth_supported(self):
        return "keyboard-interactive" in self.server.ways

    def get_kbdint_challenge(self, username, lang, submethods):
        self.server.tried.append("keyboard-interactive")
        return self.server.title, "instruction", "", self.server.prompts

    def validate_kbdint_response(self, username, responses):
        self.server.answers.append(list(responses))
        if self.server.again and username == USER:
            self.server.again -= 1
            return "", "", "", [("Again: ", True)] if self.server.again else []
        return username == USER and all(response == PASSWORD for response in responses)


class LoginServer:
    """ways: those that it offers; prompts: of keyboard-interactive; again: rounds of it that follow the first one."""

    def __init__(self, root, host_key):
        self.root, self.keys = str(root), []
        self.reset()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.listener = self.call(self.listen(host_key))
        self.port = self.listener.sockets[0].getsockname()[1]

    async def listen(self, host_key):
        return await asyncssh.create_server(
            lambda: Account(self), "127.0.0.1", 0, server_host_keys=[host_key],
            sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=self.root.encode()))

    def reset(self, *ways):
        self.ways, self.prompts, self.again = ways, [("Password: ", False)], 0
        self.title = ""  # libssh2 1.10 takes none but those that are longer than the list of ways
        self.tried, self.answers = [], []

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)

    def close(self):
        self.loop.call_soon_threadsafe(self.listener.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
