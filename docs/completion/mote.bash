# bash completion for mote. Made by tools/gen_manual.py.
_mote()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  case $before in
  --alt-svc|--cacert|--cert|-E|--config|-K|--cookie-jar|-c|--crlfile|--dump-header|-D|--etag-compare|--etag-save|--hsts|--key|--libcurl|--memory-graph|--netrc-file|--output|-o|--pinnedpubkey|--proxy-cacert|--proxy-cert|--proxy-crlfile|--proxy-key|--ssl-sessions|--stderr|--trace|--trace-ascii|--unix-socket|--upload-file|-T|--write-out|-w)
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
    return
    ;;
  --capath|--output-dir|--proxy-capath)
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$word"))
    return
    ;;
  -h|--help)
    COMPREPLY=($(compgen -W "all category auth connection curl deprecated dns file ftp global http imap important ldap mqtt output pop3 post proxy scp sftp smtp ssh telnet tftp timeout tls upload verbose" -- "$word"))
    return
    ;;
  --abstract-unix-socket|--aws-sigv4|--cert-type|--ciphers|--connect-timeout|--connect-to|--continue-at|--cookie|--create-file-mode|--curves|--data|--data-ascii|--data-binary|--data-raw|--data-urlencode|--delegation|--doh-url|--engine|--expect100-timeout|--form|--form-string|--ftp-account|--ftp-alternative-to-user|--ftp-method|--ftp-port|--ftp-ssl-ccc-mode|--happy-eyeballs-timeout-ms|--haproxy-clientip|--header|--httpsig-algo|--httpsig-headers|--httpsig-key|--httpsig-keyid|--interface|--ip-tos|--json|--keepalive-cnt|--keepalive-time|--key-type|--limit-rate|--local-port|--max-filesize|--max-redirs|--max-time|--noproxy|--oauth2-bearer|--parallel-max|--parallel-max-host|--pass|--preproxy|--proto|--proto-default|--proto-redir|--proxy|--proxy-cert-type|--proxy-ciphers|--proxy-header|--proxy-key-type|--proxy-pass|--proxy-pinnedpubkey|--proxy-service-name|--proxy-tls13-ciphers|--proxy-user|--proxy1.0|--quote|--range|--rate|--referer|--request|--request-target|--resolve|--retry|--retry-delay|--retry-max-time|--service-name|--sigalgs|--socks4|--socks4a|--socks5|--socks5-gssapi-service|--socks5-hostname|--speed-limit|--speed-time|--time-cond|--tls-max|--tls13-ciphers|--trace-config|--url|--url-query|--user|--user-agent|--variable|--vlan-priority)
    return
    ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "--abstract-unix-socket --alt-svc --anyauth --append --as-curl --aws-sigv4 --basic --ca-native --cacert --capath --cert --cert-status --cert-type --ciphers --compressed --config --connect-timeout --connect-to --continue-at --cookie --cookie-jar --create-dirs --create-file-mode --crlf --crlfile --curves --data --data-ascii --data-binary --data-raw --data-urlencode --delegation --digest --disable --disable-eprt --disable-epsv --disallow-username-in-url --doh-cert-status --doh-insecure --doh-url --dump-ca-embed --dump-header --engine --etag-compare --etag-save --expect100-timeout --fail --fail-early --fail-with-body --follow --form --form-escape --form-string --ftp-account --ftp-alternative-to-user --ftp-create-dirs --ftp-method --ftp-pasv --ftp-port --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-ccc-mode --ftp-ssl-control --get --globoff --happy-eyeballs-timeout-ms --haproxy-clientip --haproxy-protocol --head --header --help --hsts --http0.9 --http1.0 --http1.1 --httpsig-algo --httpsig-headers --httpsig-key --httpsig-keyid --ignore-content-length --include --insecure --interface --ip-tos --ipv4 --ipv6 --json --junk-session-cookies --keepalive-cnt --keepalive-time --key --key-type --libcurl --limit-rate --list-only --local-port --location --location-trusted --manual --max-filesize --max-redirs --max-time --memory --memory-graph --mptcp --negotiate --netrc --netrc-file --netrc-optional --next --no-alpn --no-buffer --no-clobber --no-keepalive --no-progress-meter --no-sessionid --noproxy --oauth2-bearer --out-null --output --output-dir --parallel --parallel-immediate --parallel-max --parallel-max-host --pass --path-as-is --pinnedpubkey --post301 --post302 --post303 --preproxy --progress-bar --proto --proto-default --proto-redir --proxy --proxy-anyauth --proxy-basic --proxy-ca-native --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-digest --proxy-header --proxy-insecure --proxy-key --proxy-key-type --proxy-negotiate --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tls13-ciphers --proxy-tlsv1 --proxy-user --proxy1.0 --proxytunnel --quote --range --rate --raw --referer --remote-header-name --remote-name --remote-name-all --remote-time --remove-on-error --request --request-target --resolve --retry --retry-all-errors --retry-connrefused --retry-delay --retry-max-time --service-name --show-error --show-headers --sigalgs --silent --skip-existing --socks4 --socks4a --socks5 --socks5-basic --socks5-gssapi --socks5-gssapi-nec --socks5-gssapi-service --socks5-hostname --speed-limit --speed-time --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort --ssl-sessions --stderr --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --time-cond --tls-earlydata --tls-max --tls13-ciphers --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace --trace-ascii --trace-config --trace-ids --trace-time --unix-socket --upload-file --url --url-query --use-ascii --user --user-agent --variable --verbose --version --vlan-priority --write-out --xattr -a -E -K -C -b -c -d -q -D -f -F -P -G -g -I -H -h -0 -k -4 -6 -j -l -L -M -m -n -: -N -o -Z -# -x -U -p -Q -r -e -J -O -R -X -S -i -s -Y -y -z -1 -T -B -u -A -v -V -w" -- "$word"))
  fi
}
complete -F _mote mote
