"""Replays the calls of a libcurl command on a library, one process per command line: replay.py LIBRARY URL, with
lines "call TAB option TAB value" on stdin and files in the current folder. Writes a line per call with its answer,
then the transfer's code and text. For test_newest_command.py."""

import ctypes
import sys

SIZES = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)
ZERO = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_longlong, ctypes.c_longlong, ctypes.c_longlong,
                        ctypes.c_longlong)


def fill(data, size, count, _arg):
    ctypes.memset(data, ord("x"), size * count)
    return size * count


CALLBACKS = {
    "WRITEFUNCTION": SIZES(lambda data, size, count, arg: size * count),
    "HEADERFUNCTION": SIZES(lambda data, size, count, arg: size * count),
    "READFUNCTION": SIZES(fill),
}
NOTHING = ZERO(lambda *arguments: 0)
TEXTS = {"CAINFO": b"/etc/ssl/certs/ca-certificates.crt", "USERAGENT": b"curl/8.22", "USERPWD": b"a:b",
         "ACCEPT_ENCODING": b"gzip", "PROXY": b"", "DOH_URL": b"https://127.0.0.1:1/",
         "PINNEDPUBLICKEY": b"sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}
NOTIFY_FUNCTION = 20018


class Option(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("id", ctypes.c_int), ("type", ctypes.c_int), ("flags", ctypes.c_uint)]


class Replay:
    def __init__(self, path, url):
        self.lib = lib = ctypes.CDLL(path)
        for name in ("curl_easy_init", "curl_multi_init", "curl_share_init", "curl_mime_init"):
            getattr(lib, name).restype = ctypes.c_void_p
        lib.curl_easy_option_by_name.restype = ctypes.POINTER(Option)
        lib.curl_global_init(3)
        self.url = url.encode()
        self.easy, self.multi, self.share = (ctypes.c_void_p(f()) for f in
                                             (lib.curl_easy_init, lib.curl_multi_init, lib.curl_share_init))
        self.error = ctypes.create_string_buffer(256)
        self.fields = ctypes.create_string_buffer(b"a=b")

    def pointer(self, name):
        if name == "ERRORBUFFER":
            return ctypes.cast(self.error, ctypes.c_void_p)
        if name == "POSTFIELDS":
            return ctypes.cast(self.fields, ctypes.c_void_p)
        if name == "SHARE":
            return self.share
        if name == "MIMEPOST":
            return ctypes.c_void_p(self.lib.curl_mime_init(self.easy))
        if name == "STDERR":
            return ctypes.c_void_p.in_dll(ctypes.CDLL(None), "stderr")
        if name.endswith("FUNCTION"):
            return ctypes.cast(CALLBACKS.get(name, NOTHING), ctypes.c_void_p)
        return None

    def setopt(self, name, value):
        found = self.lib.curl_easy_option_by_name(name.encode())
        number, kind = found.contents.id, found.contents.type
        if value == "string":
            argument = ctypes.c_char_p(self.url if name == "URL" else TEXTS.get(name, b"j"))
        elif value == "pointer":
            argument = self.pointer(name)
        elif value == "NULL":
            argument = None
        else:
            argument = ctypes.c_longlong(int(value)) if kind <= 2 else None
        return self.lib.curl_easy_setopt(self.easy, number, argument)

    def call(self, call, option, value):
        if call == "setopt":
            return self.setopt(option, value)
        if call == "share_setopt":
            return self.lib.curl_share_setopt(self.share, int(option), ctypes.c_int(int(value)))
        if call == "multi_setopt":
            number = int(option)
            argument = ctypes.cast(NOTHING, ctypes.c_void_p) if number == NOTIFY_FUNCTION else ctypes.c_longlong(int(value))
            return self.lib.curl_multi_setopt(self.multi, number, argument)
        return getattr(self.lib, call)(option.encode())


def main():
    replay = Replay(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        call, option, value = line.rstrip("\n").split("\t")[:3]
        print(call, option, value, replay.call(call, option, value), sep="\t")
    code = replay.lib.curl_easy_perform(replay.easy)
    print("perform", code, replay.error.value.decode(), sep="\t")


main()
