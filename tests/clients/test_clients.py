"""Unmodified programs from Debian's packages with what they ask of libcurl: cookies, forms, logins, proxies, netrc, ranges.
Each runs on Debian's library and on Mote, and prints the same."""
import subprocess

from conftest import needs
from site_pages import PASSWORD, USER

LOGIN = f"{USER}:{PASSWORD}@"
GIT_ID = ["-c", "user.name=joe", "-c", "user.email=joe@example.com"]


def sh(text):
    return ["sh", "-ec", text]


# ---- git ----

def bare(site):
    """A repository with one commit, which takes pushes."""
    repo = f"{site.folder}/r.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", repo], check=True)
    subprocess.run(["git", "-C", repo, "config", "http.receivepack", "true"], check=True)
    subprocess.run(sh(f'''git -C {repo} {' '.join(GIT_ID)} commit-tree -m first $(git -C {repo} hash-object -t tree -w /dev/null) |
                      xargs git -C {repo} update-ref refs/heads/main'''), check=True)
    return repo


@needs("git")
def test_git_clones_and_pushes_with_a_login(both, site):
    repo = bare(site)
    push = f'''git clone -q {site.url("/private/git/r.git", LOGIN)} c
               cd c; echo "$HOME" >f; head -c 2000000 /dev/urandom >large; git add .
               git {' '.join(GIT_ID)} commit -qm second; git push -q origin HEAD:"$(basename "$(dirname "$HOME")")"
               git ls-remote origin | wc -l'''
    both(["sh", "-ec", push + " >/dev/null"])
    branches = subprocess.run(["git", "-C", repo, "branch", "--format=%(refname:short)"], capture_output=True, text=True, check=True)
    assert branches.stdout.split() == ["debian", "main", "mote"]


@needs("git")
def test_git_takes_the_login_from_netrc(both, site):
    bare(site)

    def netrc(folder):
        (folder / "home" / ".netrc").write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n")
    assert both(["git", "ls-remote", site.url("/private/git/r.git")], netrc).endswith("refs/heads/main\n")


@needs("git")
def test_git_is_refused(both, site):
    bare(site)
    both(["git", "ls-remote", site.url("/private/git/r.git", "joe:wrong@")], code=128)


@needs("git")
@needs("tinyproxy")
def test_git_through_a_proxy(both, site, proxy):
    bare(site)
    out = both(["git", "-c", f"http.proxy={proxy.url}", "ls-remote", site.url("/private/git/r.git", LOGIN)])
    assert out.endswith("refs/heads/main\n") and f":{site.server_port}/private/git/" in proxy.log()


@needs("git")
@needs("tinyproxy")
def test_git_is_refused_by_a_proxy(both, site, proxy):
    bare(site)
    both(["git", "-c", f"http.proxy=http://prue:wrong@{proxy.address}", "ls-remote", site.url("/git/r.git")], code=128)


# ---- PHP ----

def php(text):
    def prepare(folder):
        (folder / "p.php").write_text("<?php\n" + text)
        (folder / "data.bin").write_bytes(bytes(range(256)) * 40)
    return ["php", "p.php"], prepare


@needs("php")
def test_php_posts_a_form_with_files(both, site):
    command, prepare = php(f'''
        $c = curl_init("{site.url("/form")}");
        curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_POST => true, CURLOPT_POSTFIELDS => [
            "text" => "a value", "file" => new CURLFile("data.bin", "image/png", "photo.png"),
            "string" => new CURLStringFile("bytes", "s.txt", "text/plain")]]);
        echo md5(curl_exec($c)), curl_error($c), "\\n";
        curl_setopt($c, CURLOPT_POSTFIELDS, ["only" => "text"]);
        echo curl_exec($c);''')
    assert both(command, prepare).endswith("only None None: text\n")


@needs("php")
def test_php_keeps_cookies_in_a_file(both, site):
    command, prepare = php(f'''
        for($i = 0; $i < 2; $i++) {{
            $c = curl_init("{site.url("/set?a=1&b=two")}");
            curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_COOKIEFILE => "jar", CURLOPT_COOKIEJAR => "jar"]);
            if($i)
                curl_setopt($c, CURLOPT_URL, "{site.url("/show")}");
            echo curl_exec($c), "\\n", count(curl_getinfo($c, CURLINFO_COOKIELIST)), "\\n";
            unset($c);
        }}
        echo preg_replace('/\\t\\d+\\t/', "\\tTIME\\t", implode(preg_grep('/^[^#]/', file("jar"))));''')
    out = both(command, prepare)
    assert "a=1\nb=two\n" in out and out.count("\tTIME\t") == 2


@needs("php")
@needs("tinyproxy")
def test_php_through_a_proxy(both, site, proxy):
    command, prepare = php(f'''
        $c = curl_init("{site.url("/show")}");
        curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_PROXY => "{proxy.address}", CURLOPT_COOKIE => "k=v",
                               CURLOPT_PROXYUSERPWD => "prue:swordfish", CURLOPT_HTTPPROXYTUNNEL => true]);
        echo curl_exec($c), curl_getinfo($c, CURLINFO_HTTP_CONNECTCODE), "\\n";
        curl_setopt_array($c, [CURLOPT_PROXYUSERPWD => "prue:wrong", CURLOPT_FRESH_CONNECT => true]);
        echo var_export(curl_exec($c)), curl_getinfo($c, CURLINFO_HTTP_CONNECTCODE); // the error is 56, now 7''')
    assert both(command, prepare).startswith("k=v\n200\n")


# ---- Perl ----

def perl(text):
    def prepare(folder):
        (folder / "data.bin").write_bytes(bytes(range(256)) * 40)
    return ["perl", "-MWWW::Curl::Easy", "-MWWW::Curl::Form", "-e", text], prepare


@needs("perl")
def test_perl_posts_a_form(both, site):
    command, prepare = perl(f'''
        my $c = WWW::Curl::Easy->new; my $f = WWW::Curl::Form->new; my $out;
        $f->formadd("name", "value"); $f->formaddfile("data.bin", "file", "application/x-data");
        $c->setopt(CURLOPT_URL, "{site.url("/form")}"); $c->setopt(CURLOPT_HTTPPOST, $f);
        $c->setopt(CURLOPT_WRITEDATA, \\$out);
        print $c->perform, " ", length($out), " ", substr($out, 0, 20);''')
    assert both(command, prepare).startswith("0 ")


@needs("perl")
def test_perl_has_cookies_and_a_login(both, site):
    command, prepare = perl(f'''
        my $c = WWW::Curl::Easy->new; my $out;
        $c->setopt(CURLOPT_COOKIEFILE, ""); $c->setopt(CURLOPT_USERPWD, "{USER}:{PASSWORD}");
        $c->setopt(CURLOPT_HTTPAUTH, CURLAUTH_ANY);
        $c->setopt(CURLOPT_WRITEDATA, \\$out);
        for my $path ("/private/set?x=y", "/private/show") {{
          $c->setopt(CURLOPT_URL, "{site.url("")}" . $path);
          print $c->perform, " ", $c->getinfo(CURLINFO_HTTP_CODE), "\\n";
        }}
        print $out;''')
    assert both(command, prepare).startswith("0 200\n0 200\n")


# ---- R ----

@needs("Rscript")
def test_r_posts_a_form_and_keeps_cookies(both, site):
    def prepare(folder):
        (folder / "data.bin").write_bytes(bytes(range(256)) * 40)
    out = both(["Rscript", "--vanilla", "-e", f'''
        library(curl); h <- new_handle(); handle_setform(h, a = "1", f = form_file("data.bin", "x/y"), d = form_data("t", "text/plain"))
        r <- curl_fetch_memory("{site.url("/form")}", h); cat(r$status_code, length(r$content), "\\n")
        h <- new_handle(); invisible(curl_fetch_memory("{site.url("/set?k=v")}", h))
        cat(handle_cookies(h)$name, rawToChar(curl_fetch_memory("{site.url("/show")}", h)$content))'''], prepare)
    assert out.startswith("200 ") and out.endswith("k k=v\n")


# ---- CMake ----

@needs("cmake")
def test_cmake_downloads_with_netrc(both, site):
    with open(f"{site.folder}/f", "w", encoding="ascii") as f:
        f.write("contents")

    def prepare(folder):
        (folder / "netrc").write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n")
        (folder / "s.cmake").write_text(f'''
            file(DOWNLOAD "{site.url("/private/file/f")}" out NETRC REQUIRED NETRC_FILE "${{CMAKE_CURRENT_SOURCE_DIR}}/netrc" STATUS s)
            list(GET s 0 code)
            file(READ out text)
            message(STATUS "${{code}} ${{text}}")
            file(DOWNLOAD "{site.url("/private/file/f")}" out USERPWD {USER}:wrong STATUS s)
            list(GET s 0 code)
            file(UPLOAD netrc "{site.url("/private/form")}" USERPWD {USER}:{PASSWORD} STATUS s)
            message(STATUS "${{code}} ${{s}}")''')
    assert both(["cmake", "-P", "s.cmake"], prepare).startswith("-- 0 contents\n")


# ---- OSTree, GDAL ----

@needs("ostree")
def test_ostree_pulls(both, site):
    def prepare(folder):
        repo, tree = f"{site.folder}/repo", folder / "tree"
        tree.mkdir()
        (tree / "f").write_text("in the tree")
        subprocess.run(sh(f'''[ -d {repo} ] || {{ ostree init --repo={repo} --mode=archive
            ostree commit --repo={repo} -b main --owner-uid=0 --owner-gid=0 --timestamp=@1 --tree=dir={tree} >/dev/null; }}'''), check=True)
    out = both(sh(f'''ostree init --repo=r --mode=archive; ostree remote add --repo=r o {site.url("/file/repo")} --no-gpg-verify
                      ostree pull --repo=r o main >/dev/null; ostree cat --repo=r o:main /f'''), prepare)
    assert out == "in the tree"


@needs("gdalinfo")
def test_gdal_reads_ranges_with_a_login(both, site):
    subprocess.run(["gdal_create", "-q", "-of", "GTiff", "-outsize", "700", "500", "-burn", "7", "-co", "TILED=YES", f"{site.folder}/r.tif"],
                   check=True)
    out = both(["gdalinfo", "-checksum", "/vsicurl/" + site.url("/private/file/r.tif")], env={"GDAL_HTTP_USERPWD": f"{USER}:{PASSWORD}"})
    assert "Size is 700, 500" in out
