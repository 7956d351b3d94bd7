"""Unmodified programs from Debian's packages with FTP and mail: a vsftpd and a dovecot, as the end-to-end tests have them."""
import hashlib
import subprocess

import pytest
from conftest import needs

import ftp_servers
import mail_servers
from certs import Certs
from mail_servers import PASSWORD, USER

DATA = bytes(range(256)) * 400


@pytest.fixture(scope="session")
def certs(tmp_path_factory):
    return Certs(tmp_path_factory.mktemp("certs"))


@pytest.fixture
def ftpd(tmp_path, certs):
    if ftp_servers.missing("vsftpd"):
        pytest.skip(ftp_servers.missing("vsftpd"))
    server = ftp_servers.start("vsftpd", tmp_path / "ftp", certs)
    server.put("folder/data.bin", DATA)
    server.put("12.txt", b"hello world\n")
    yield server
    server.close()


@pytest.fixture
def mail(certs):
    if mail_servers.missing():
        pytest.skip(mail_servers.missing())
    relay = mail_servers.Relay()
    server = mail_servers.Dovecot(certs, relay=relay.port)
    server.mails = relay.mails
    server.deliver(b"Subject: first\r\n\r\none\r\n", b"Subject: second\r\n\r\n.two\r\n")
    yield server
    server.close()
    relay.close()


# ---- FTP ----

@needs("php")
def test_php_moves_files(both, ftpd, certs):
    def prepare(folder):
        (folder / "data.bin").write_bytes(DATA)
        (folder / "p.php").write_text(f'''<?php
            $c = curl_init(); $name = basename(getcwd());
            curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_USE_SSL => CURLUSESSL_ALL, CURLOPT_CAINFO => "{certs.path("ca.pem")}"]);
            function go($url) {{ global $c; curl_setopt($c, CURLOPT_URL, $url); $r = curl_exec($c); echo curl_errno($c), " "; return $r; }}
            echo md5(go("{ftpd.url("folder/data.bin")}")), " ", curl_getinfo($c, CURLINFO_SIZE_DOWNLOAD), "\\n";
            curl_setopt_array($c, [CURLOPT_UPLOAD => true, CURLOPT_INFILE => fopen("data.bin", "r"), CURLOPT_FTP_CREATE_MISSING_DIRS => true]);
            go("{ftpd.url("")}$name/up.bin");
            curl_setopt_array($c, [CURLOPT_UPLOAD => false, CURLOPT_DIRLISTONLY => true]);
            echo go("{ftpd.url("")}$name/");
            curl_setopt_array($c, [CURLOPT_DIRLISTONLY => false, CURLOPT_POSTQUOTE => ["DELE up.bin"]]);
            echo md5(go("{ftpd.url("")}$name/up.bin")), "\\n";
            curl_setopt($c, CURLOPT_POSTQUOTE, []);
            go("{ftpd.url("")}$name/up.bin");
            curl_setopt($c, CURLOPT_USERPWD, "anonymous:wrong");
            go("{ftpd.url("12.txt", login=False)}");''')
    # on Debian's library uploads and lists of vsftpd end with 18 now and then
    digest = hashlib.md5(DATA).hexdigest()
    assert both.ours(["php", "p.php"], prepare) == f"0 {digest} {len(DATA)}\n0 0 up.bin\n0 {digest}\n78 67 "


@needs("perl")
def test_perl_lists_and_resumes(both, ftpd):
    text = f'''
        my $c = WWW::Curl::Easy->new; my $out = "";
        $c->setopt(CURLOPT_WRITEDATA, \\$out); $c->setopt(CURLOPT_URL, '{ftpd.url("")}'); $c->setopt(CURLOPT_DIRLISTONLY, 1);
        print $c->perform, " ", join(",", sort(split(/\\r?\\n/, $out))), "\\n"; $out = "";
        $c->setopt(CURLOPT_DIRLISTONLY, 0); $c->setopt(CURLOPT_URL, '{ftpd.url("12.txt")}'); $c->setopt(CURLOPT_RESUME_FROM, 6);
        print $c->perform, " $out";'''
    assert both(["perl", "-MWWW::Curl::Easy", "-e", text]) == "0 12.txt,folder\n0 world\n"


@needs("Rscript")
def test_r_reads_a_folder(both, ftpd):
    out = both(["Rscript", "--vanilla", "-e", f'''
        library(curl); h <- new_handle(dirlistonly = TRUE); con <- curl("{ftpd.url("")}", handle = h); cat(sort(readLines(con)), "\\n")
        cat(length(curl_fetch_memory("{ftpd.url("folder/data.bin")}")$content), "\\n")'''])
    assert out == f"12.txt folder \n{len(DATA)} \n"


@needs("cmake")
def test_cmake_moves_files(both, ftpd):
    def prepare(folder):
        (folder / "data.bin").write_bytes(DATA)
        (folder / "s.cmake").write_text(f'''
            get_filename_component(name "${{CMAKE_CURRENT_SOURCE_DIR}}" NAME)
            file(UPLOAD data.bin "{ftpd.url("")}${{name}}.bin" STATUS up)
            file(DOWNLOAD "{ftpd.url("")}${{name}}.bin" out STATUS down)
            file(MD5 out sum)
            file(DOWNLOAD "{ftpd.url("missing")}" out2 STATUS missing)
            list(GET missing 0 missing)
            message(STATUS "${{up}} ${{down}} ${{sum}} ${{missing}}")''')
    assert both(["cmake", "-P", "s.cmake"], prepare).endswith(" 78\n")


@needs("git")
def test_git_clones_by_ftp(both, ftpd, tmp_path):
    """By plain files, as web servers without its own program have them."""
    repo = tmp_path / "ftp" / "root" / "r.git"
    subprocess.run(["sh", "-ec", f'''git init -q --bare -b main {repo}; cd {repo}
        id=$(git -c user.name=j -c user.email=j@e commit-tree -m first $(git hash-object -t tree -w /dev/null))
        git update-ref refs/heads/main $id; git update-server-info'''], check=True)
    ftpd._give(ftpd.root)
    assert both(["sh", "-ec", f"git clone -q {ftpd.url('r.git')} c; git -C c log --format=%s"]) == "first\n"


@needs("gdalinfo")
def test_gdal_reads_a_file(both, ftpd, tmp_path):
    subprocess.run(["gdal_create", "-q", "-of", "GTiff", "-outsize", "70", "50", "-burn", "7", str(tmp_path / "r.tif")], check=True)
    ftpd.put("r.tif", (tmp_path / "r.tif").read_bytes())
    assert "Size is 70, 50" in both(["gdalinfo", "-checksum", "/vsicurl/" + ftpd.url("r.tif")])


# ---- mail ----

@needs("php")
def test_php_reads_and_sends_mail(both, mail, certs):
    def prepare(folder):
        (folder / "p.php").write_text(f'''<?php
            $c = curl_init();
            curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_USE_SSL => CURLUSESSL_ALL, CURLOPT_CAINFO => "{certs.path("ca.pem")}",
                                   CURLOPT_USERNAME => "{USER}", CURLOPT_PASSWORD => "{PASSWORD}"]);
            function go($url) {{ global $c; curl_setopt($c, CURLOPT_URL, $url); $r = curl_exec($c); echo curl_errno($c), " ", $r; }}
            go("{mail.url("imap", "INBOX;MAILINDEX=1;SECTION=TEXT")}");
            go("{mail.url("imap", "INBOX?ALL", tls=True)}");
            go("{mail.url("pop3", "2")}");
            go("{mail.url("pop3", "9")}");
            $text = "Subject: sent\\r\\n\\r\\n.dot\\r\\n";
            curl_setopt_array($c, [CURLOPT_UPLOAD => true, CURLOPT_READFUNCTION => function() use (&$text) {{ $now = $text; $text = ""; return $now; }},
                                   CURLOPT_MAIL_FROM => "<a@mote.test>", CURLOPT_MAIL_RCPT => ["<b@mote.test>", "<c@mote.test>"]]);
            go("{mail.url("smtp")}");''')
    out = both(["php", "p.php"], prepare)
    assert "one" in out and "Subject: second" in out
    assert [(m[0], m[1]) for m in mail.mails] == [("a@mote.test", ["b@mote.test", "c@mote.test"])] * 2
    assert mail.mails[0][2].endswith(b"\r\n.dot\r\n") and mail.mails[0][2].splitlines()[-2:] == mail.mails[1][2].splitlines()[-2:]


@needs("perl")
def test_perl_reads_mail(both, mail):
    text = f'''
        my $c = WWW::Curl::Easy->new; my $out = "";
        $c->setopt(CURLOPT_WRITEDATA, \\$out); $c->setopt(CURLOPT_USERPWD, '{USER}:{PASSWORD}');
        for my $url ("{mail.url("imap")}", "{mail.url("pop3")}", "{mail.url("imap", "INBOX?SUBJECT%20second")}") {{
          $c->setopt(CURLOPT_URL, $url); print $c->perform, " ";
        }}
        print $out;'''
    assert both(["perl", "-MWWW::Curl::Easy", "-e", text]).startswith("0 0 0 ")


@needs("git")
@needs("curl")
@pytest.mark.parametrize("scheme", ["imap", "imaps"])
def test_git_sends_a_patch_by_imap(both, mail, scheme):
    """It begins TLS where the server offers it; the patch is read back by curl, as the last mail of the box."""
    port, last = mail.ports[scheme], mail.url(scheme, "INBOX;MAILINDEX=*")
    out = both(["sh", "-ec", f'''git init -q r; cd r
        export GIT_AUTHOR_DATE='2026-11-23 08:00 +0000' GIT_COMMITTER_DATE='2026-11-23 08:00 +0000'
        printf '.dot\\nend' >f; git add f; git -c user.name=joe -c user.email=joe@example.com commit -qm subject
        cat >>.git/config <<END
[imap]
        folder = INBOX
        host = {scheme}://localhost
        port = {port}
        user = {mail.user}
        pass = {mail.password}
        sslverify = false
END
        git format-patch --root --stdout | git imap-send --curl -q
        curl -sSk -u "{mail.user}:{mail.password}" "{last}"'''])
    assert "Subject: [PATCH] subject" in out and "+.dot" in out
