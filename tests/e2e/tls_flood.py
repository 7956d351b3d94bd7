"""A server of TLS whose records are made in advance, by OpenSSL: messages that a client has to take after its handshake,
without a byte for the application."""

import ctypes
import ctypes.util
import threading

CERTIFICATE_FILE, SET_MIN, SET_MAX = 1, 123, 124
TLS_1_2, TLS_1_3 = 0x303, 0x304
ASK_TOO = 1        # SSL_KEY_UPDATE_REQUESTED
RECORDS = 20_000   # made in advance: what a client takes at once in the time that this takes to make them
pointer, number = ctypes.c_void_p, ctypes.c_int


def library():
    ssl = ctypes.CDLL(ctypes.util.find_library("ssl"))
    for name, result, *arguments in (
            ("TLS_server_method", pointer), ("SSL_CTX_new", pointer, pointer), ("SSL_CTX_free", None, pointer),
            ("SSL_CTX_ctrl", ctypes.c_long, pointer, number, ctypes.c_long, pointer),
            ("SSL_CTX_use_certificate_chain_file", number, pointer, ctypes.c_char_p),
            ("SSL_CTX_use_PrivateKey_file", number, pointer, ctypes.c_char_p, number),
            ("SSL_new", pointer, pointer), ("SSL_free", None, pointer), ("SSL_set_bio", None, pointer, pointer, pointer),
            ("SSL_set_accept_state", None, pointer), ("SSL_do_handshake", number, pointer),
            ("SSL_renegotiate", number, pointer), ("SSL_key_update", number, pointer, number),
            ("SSL_new_session_ticket", number, pointer), ("SSL_write", number, pointer, ctypes.c_char_p, number),
            ("BIO_s_mem", pointer), ("BIO_new", pointer, pointer), ("BIO_write", number, pointer, ctypes.c_char_p, number),
            ("BIO_read", number, pointer, pointer, number), ("BIO_ctrl_pending", ctypes.c_size_t, pointer)):
        function = getattr(ssl, name)
        function.restype, function.argtypes = result, arguments
    return ssl


SSL = library()


def hello_request(s):
    SSL.SSL_renegotiate(s)
    SSL.SSL_do_handshake(s)


def key_update(s):
    SSL.SSL_key_update(s, 0)
    SSL.SSL_do_handshake(s)


def asked_key_update(s):
    SSL.SSL_key_update(s, ASK_TOO)
    SSL.SSL_do_handshake(s)


def ticket(s):
    SSL.SSL_new_session_ticket(s)
    SSL.SSL_do_handshake(s)


def byte(s):
    SSL.SSL_write(s, b"x", 1)


class TlsFlood:
    """The opening of a flood (test_floods.py): a handshake, an answer of HTTP if there is one, and many records; then
    those that the server goes on to make."""

    def __init__(self, certs, version, record, answer=b"", records=RECORDS):
        self.certs, self.version, self.record, self.answer, self.records = certs, version, record, answer, records

    def _begin(self):
        context = SSL.SSL_CTX_new(SSL.TLS_server_method())
        for which in (SET_MIN, SET_MAX):
            SSL.SSL_CTX_ctrl(context, which, self.version, None)
        assert SSL.SSL_CTX_use_certificate_chain_file(context, self.certs.path("good.pem").encode()) == 1
        assert SSL.SSL_CTX_use_PrivateKey_file(context, self.certs.path("good.key").encode(), CERTIFICATE_FILE) == 1
        s = SSL.SSL_new(context)
        SSL.SSL_CTX_free(context)
        came, goes = SSL.BIO_new(SSL.BIO_s_mem()), SSL.BIO_new(SSL.BIO_s_mem())
        SSL.SSL_set_bio(s, came, goes)
        SSL.SSL_set_accept_state(s)
        return s, came, goes

    @staticmethod
    def _taken(goes):
        n = SSL.BIO_ctrl_pending(goes)
        room = ctypes.create_string_buffer(n + 1)
        SSL.BIO_read(goes, room, n)
        return room.raw[:n]

    def __call__(self, peer):
        s, came, goes = self._begin()
        try:
            done = 0
            while done != 1:
                peer.more()
                SSL.BIO_write(came, peer.buffer, len(peer.buffer))
                peer.buffer = b""
                done = SSL.SSL_do_handshake(s)
                peer.send(self._taken(goes))
            if self.answer:
                SSL.SSL_write(s, self.answer, len(self.answer))
            drain = threading.Thread(target=peer.server._drain, args=(peer.sock,), daemon=True)
            if peer.server.reads:
                drain.start()
            while True:
                for _ in range(self.records):
                    self.record(s)
                peer.send(self._taken(goes))
        finally:
            SSL.SSL_free(s)
