# fish completion for mote. Made by tools/gen_manual.py.
complete -c mote -f
complete -c mote -l 'abstract-unix-socket' -d 'Connect through an abstract Unix domain socket' -x
complete -c mote -l 'alt-svc' -d 'Use alt-svc, with this cache file' -r -F
complete -c mote -l 'anyauth' -d 'Use the best authentication the server offers'
complete -c mote -s 'a' -l 'append' -d 'Append to the target file when uploading'
complete -c mote -l 'as-curl' -d 'Go by the name of curl in requests and messages'
complete -c mote -l 'aws-sigv4' -d 'Sign requests with AWS V4 signatures' -x
complete -c mote -l 'basic' -d 'HTTP Basic authentication'
complete -c mote -l 'ca-native' -d 'Use the operating system\'s CA store too'
complete -c mote -l 'cacert' -d 'CA certificates to verify the peer against' -r -F
complete -c mote -l 'capath' -d 'Directory of CA certificates to verify the peer against' -x -a '(__fish_complete_directories)'
complete -c mote -s 'E' -l 'cert' -d 'Client certificate file and password' -r -F
complete -c mote -l 'cert-status' -d 'Verify the certificate\'s status by OCSP stapling'
complete -c mote -l 'cert-type' -d 'Type of the client certificate: PEM, DER, ENG, PROV, P12' -x
complete -c mote -l 'ciphers' -d 'TLS 1.2 and older ciphers to use' -x
complete -c mote -l 'compressed' -d 'Ask for a compressed response and decompress it'
complete -c mote -l 'compressed-ssh' -d 'Compress SSH traffic'
complete -c mote -s 'K' -l 'config' -d 'Read options from a file' -r -F
complete -c mote -l 'connect-timeout' -d 'Longest time to wait for a connection' -x
complete -c mote -l 'connect-to' -d 'Connect to host 2 instead of host 1' -x
complete -c mote -s 'C' -l 'continue-at' -d 'Resume the transfer at an offset, \'-\': find out' -x
complete -c mote -s 'b' -l 'cookie' -d 'Send these cookies, or those of a file' -x
complete -c mote -s 'c' -l 'cookie-jar' -d 'Write cookies to this file after the transfers' -r -F
complete -c mote -l 'create-dirs' -d 'Create the directories of the output file'
complete -c mote -l 'create-file-mode' -d 'Mode of files created remotely (octal)' -x
complete -c mote -l 'crlf' -d 'Convert LF to CRLF when uploading'
complete -c mote -l 'crlfile' -d 'Certificate revocation list to use' -r -F
complete -c mote -l 'curves' -d 'TLS key exchange groups to ask for' -x
complete -c mote -s 'd' -l 'data' -d 'Data for a POST request, @file reads it' -x
complete -c mote -l 'data-ascii' -d 'Data for a POST request (same as --data)' -x
complete -c mote -l 'data-binary' -d 'Data for a POST request, taken as it is' -x
complete -c mote -l 'data-raw' -d 'Data for a POST request, \'@\' has no meaning' -x
complete -c mote -l 'data-urlencode' -d 'Data for a POST request, URL-encoded' -x
complete -c mote -l 'delegation' -d 'GSS-API delegation: none, policy, always' -x
complete -c mote -l 'digest' -d 'HTTP Digest authentication'
complete -c mote -s 'q' -l 'disable' -d 'Do not read .curlrc (must come first)'
complete -c mote -l 'disable-eprt' -d 'Do not use EPRT'
complete -c mote -l 'disable-epsv' -d 'Do not use EPSV'
complete -c mote -l 'disallow-username-in-url' -d 'Refuse URLs that hold a user name'
complete -c mote -l 'doh-cert-status' -d 'OCSP stapling for the DoH server'
complete -c mote -l 'doh-insecure' -d 'Do not verify the DoH server'
complete -c mote -l 'doh-url' -d 'Resolve names over this DoH URL' -x
complete -c mote -l 'dump-ca-embed' -d 'Print the CA bundle built into the command and exit'
complete -c mote -s 'D' -l 'dump-header' -d 'Write the received headers to a file' -r -F
complete -c mote -l 'engine' -d 'Crypto engine to use, \'list\' shows them' -x
complete -c mote -l 'etag-compare' -d 'Send If-None-Match with the ETag in this file' -r -F
complete -c mote -l 'etag-save' -d 'Save the response\'s ETag to this file' -r -F
complete -c mote -l 'expect100-timeout' -d 'Longest time to wait for 100-continue' -x
complete -c mote -s 'f' -l 'fail' -d 'Fail on HTTP errors without output'
complete -c mote -l 'fail-early' -d 'Stop at the first transfer that fails'
complete -c mote -l 'fail-with-body' -d 'Fail on HTTP errors, but save the body'
complete -c mote -l 'follow' -d 'Follow redirects, changing the method as the code says'
complete -c mote -s 'F' -l 'form' -d 'Form field or file for a multipart POST' -x
complete -c mote -l 'form-escape' -d 'Escape form field names with backslashes'
complete -c mote -l 'form-string' -d 'Form field, \'@\' and \'<\' have no meaning' -x
complete -c mote -l 'ftp-account' -d 'Account data string' -x
complete -c mote -l 'ftp-alternative-to-user' -d 'String to send in place of USER' -x
complete -c mote -l 'ftp-create-dirs' -d 'Create missing remote directories'
complete -c mote -l 'ftp-method' -d 'How to reach the file\'s directory' -x
complete -c mote -l 'ftp-pasv' -d 'Passive mode'
complete -c mote -s 'P' -l 'ftp-port' -d 'Active mode with this address' -x
complete -c mote -l 'ftp-pret' -d 'Send PRET before PASV'
complete -c mote -l 'ftp-skip-pasv-ip' -d 'Ignore the address in the PASV answer'
complete -c mote -l 'ftp-ssl' -d 'Old name of --ssl'
complete -c mote -l 'ftp-ssl-ccc' -d 'Send CCC after authentication'
complete -c mote -l 'ftp-ssl-ccc-mode' -d 'How CCC ends TLS' -x
complete -c mote -l 'ftp-ssl-control' -d 'TLS for login, none for data'
complete -c mote -l 'ftp-ssl-reqd' -d 'Old name of --ssl-reqd'
complete -c mote -s 'G' -l 'get' -d 'Put the data into the URL and use GET'
complete -c mote -s 'g' -l 'globoff' -d 'Take {} and [] in URLs as they are'
complete -c mote -l 'happy-eyeballs-timeout-ms' -d 'Time to wait for IPv6 before trying IPv4 as well' -x
complete -c mote -l 'haproxy-clientip' -d 'Address to state in the HAProxy header' -x
complete -c mote -l 'haproxy-protocol' -d 'Send a HAProxy PROXY v1 header'
complete -c mote -s 'I' -l 'head' -d 'Show the headers only'
complete -c mote -s 'H' -l 'header' -d 'Header to send' -x
complete -c mote -s 'h' -l 'help' -d 'Help, for a category or an option' -x -a 'all category auth connection curl deprecated dns file ftp global http imap important ldap mqtt output pop3 post proxy scp sftp smtp ssh telnet tftp timeout tls upload verbose'
complete -c mote -l 'hostpubmd5' -d 'MD5 of the SSH host\'s public key' -x
complete -c mote -l 'hostpubsha256' -d 'SHA-256 of the SSH host\'s public key' -x
complete -c mote -l 'hsts' -d 'Use HSTS, with this cache file' -r -F
complete -c mote -l 'http0.9' -d 'Allow HTTP/0.9 answers'
complete -c mote -s '0' -l 'http1.0' -d 'Use HTTP/1.0'
complete -c mote -l 'http1.1' -d 'Use HTTP/1.1'
complete -c mote -l 'http2' -d 'Use HTTP/2'
complete -c mote -l 'http2-prior-knowledge' -d 'Use HTTP/2 without asking first'
complete -c mote -l 'http3' -d 'Use HTTP/3 where possible'
complete -c mote -l 'http3-only' -d 'Use HTTP/3 and nothing else'
complete -c mote -l 'httpsig-algo' -d 'Request signature: ed25519, hmac-sha256' -x
complete -c mote -l 'httpsig-headers' -d 'Parts of the request to sign' -x
complete -c mote -l 'httpsig-key' -d 'Key to sign requests with, hex or @file' -x
complete -c mote -l 'httpsig-keyid' -d 'Name of the key to state' -x
complete -c mote -l 'ignore-content-length' -d 'Ignore Content-Length'
complete -c mote -l 'include' -d 'Same as --show-headers'
complete -c mote -s 'k' -l 'insecure' -d 'Do not verify the server\'s certificate'
complete -c mote -l 'interface' -d 'Network interface or local address to use' -x
complete -c mote -l 'ip-tos' -d 'IP Type of Service or Traffic Class' -x
complete -c mote -s '4' -l 'ipv4' -d 'Use IPv4 addresses only'
complete -c mote -s '6' -l 'ipv6' -d 'Use IPv6 addresses only'
complete -c mote -l 'json' -d 'JSON data to POST' -x
complete -c mote -s 'j' -l 'junk-session-cookies' -d 'Ignore session cookies read from a file'
complete -c mote -l 'keepalive-cnt' -d 'Keepalive probes before giving up' -x
complete -c mote -l 'keepalive-time' -d 'Time between keepalive probes' -x
complete -c mote -l 'key' -d 'Private key file' -r -F
complete -c mote -l 'key-type' -d 'Type of the private key: PEM, DER, ENG, PROV' -x
complete -c mote -l 'knownhosts' -d 'File of known SSH hosts' -r -F
complete -c mote -l 'libcurl' -d 'Write a C program that makes the same transfers' -r -F
complete -c mote -l 'limit-rate' -d 'Highest transfer speed in bytes a second' -x
complete -c mote -s 'l' -l 'list-only' -d 'List names only'
complete -c mote -l 'local-port' -d 'Local port or range of ports to use' -x
complete -c mote -s 'L' -l 'location' -d 'Follow redirects'
complete -c mote -l 'location-trusted' -d 'Like --location, and send credentials to other hosts'
complete -c mote -l 'login-options' -d 'Login options of the server' -x
complete -c mote -l 'mail-auth' -d 'Originator of the mail' -x
complete -c mote -l 'mail-from' -d 'Sender of the mail' -x
complete -c mote -l 'mail-rcpt' -d 'Recipient of the mail' -x
complete -c mote -l 'mail-rcpt-allowfails' -d 'Go on when some recipients are refused'
complete -c mote -s 'M' -l 'manual' -d 'Show the manual'
complete -c mote -l 'max-filesize' -d 'Largest file to download' -x
complete -c mote -l 'max-redirs' -d 'Most redirects to follow' -x
complete -c mote -s 'm' -l 'max-time' -d 'Longest time for the whole transfer' -x
complete -c mote -l 'memory' -d 'Show after the transfers what memory they took'
complete -c mote -l 'memory-graph' -d 'Draw what memory the transfers took, into this file' -r -F
complete -c mote -l 'mptcp' -d 'Use Multipath TCP'
complete -c mote -l 'negotiate' -d 'HTTP Negotiate (SPNEGO) authentication'
complete -c mote -s 'n' -l 'netrc' -d 'Take user and password from .netrc'
complete -c mote -l 'netrc-file' -d 'netrc file to use' -r -F
complete -c mote -l 'netrc-optional' -d 'Use .netrc or the URL for user and password'
complete -c mote -s ':' -l 'next' -d 'Start a new operation with options of its own'
complete -c mote -l 'no-alpn' -d 'Do not use ALPN'
complete -c mote -s 'N' -l 'no-buffer' -d 'Do not buffer the output'
complete -c mote -l 'no-clobber' -d 'Do not overwrite files'
complete -c mote -l 'no-keepalive' -d 'Do not use TCP keepalive'
complete -c mote -l 'no-progress-meter' -d 'Do not show the progress meter'
complete -c mote -l 'no-sessionid' -d 'Do not reuse TLS sessions'
complete -c mote -l 'noproxy' -d 'Hosts to reach without a proxy' -x
complete -c mote -l 'oauth2-bearer' -d 'OAuth 2 bearer token' -x
complete -c mote -l 'out-null' -d 'Throw the body away'
complete -c mote -s 'o' -l 'output' -d 'Write to a file instead of stdout' -r -F
complete -c mote -l 'output-dir' -d 'Directory to save files in' -x -a '(__fish_complete_directories)'
complete -c mote -s 'Z' -l 'parallel' -d 'Do the transfers in parallel'
complete -c mote -l 'parallel-immediate' -d 'Do not wait for multiplexing'
complete -c mote -l 'parallel-max' -d 'Most parallel transfers' -x
complete -c mote -l 'parallel-max-host' -d 'Most connections to one host when parallel' -x
complete -c mote -l 'pass' -d 'Passphrase of the private key' -x
complete -c mote -l 'path-as-is' -d 'Leave .. in the URL\'s path'
complete -c mote -l 'pinnedpubkey' -d 'Public key the server must have: file or hashes' -r -F
complete -c mote -l 'post301' -d 'Stay with POST after a 301'
complete -c mote -l 'post302' -d 'Stay with POST after a 302'
complete -c mote -l 'post303' -d 'Stay with POST after a 303'
complete -c mote -l 'preproxy' -d 'Proxy to use before the proxy' -x
complete -c mote -s '#' -l 'progress-bar' -d 'Show a progress bar'
complete -c mote -l 'proto' -d 'Protocols allowed' -x
complete -c mote -l 'proto-default' -d 'Protocol of URLs without a scheme' -x
complete -c mote -l 'proto-redir' -d 'Protocols allowed in redirects' -x
complete -c mote -s 'x' -l 'proxy' -d 'Proxy to use' -x
complete -c mote -l 'proxy-anyauth' -d 'Use the best authentication the proxy offers'
complete -c mote -l 'proxy-basic' -d 'Basic authentication on the proxy'
complete -c mote -l 'proxy-ca-native' -d 'The system\'s CA store for the proxy'
complete -c mote -l 'proxy-cacert' -d 'CA certificates to verify the proxy against' -r -F
complete -c mote -l 'proxy-capath' -d 'Directory of CA certificates for the proxy' -x -a '(__fish_complete_directories)'
complete -c mote -l 'proxy-cert' -d 'Client certificate for the proxy' -r -F
complete -c mote -l 'proxy-cert-type' -d 'Type of the client certificate for the proxy' -x
complete -c mote -l 'proxy-ciphers' -d 'TLS 1.2 and older ciphers for the proxy' -x
complete -c mote -l 'proxy-crlfile' -d 'Certificate revocation list for the proxy' -r -F
complete -c mote -l 'proxy-digest' -d 'Digest authentication on the proxy'
complete -c mote -l 'proxy-header' -d 'Header to send to the proxy' -x
complete -c mote -l 'proxy-http2' -d 'HTTP/2 to an HTTPS proxy'
complete -c mote -l 'proxy-insecure' -d 'Do not verify the proxy\'s certificate'
complete -c mote -l 'proxy-key' -d 'Private key for the proxy' -r -F
complete -c mote -l 'proxy-key-type' -d 'Type of the private key for the proxy' -x
complete -c mote -l 'proxy-negotiate' -d 'Negotiate authentication on the proxy'
complete -c mote -l 'proxy-pass' -d 'Passphrase of the proxy\'s private key' -x
complete -c mote -l 'proxy-pinnedpubkey' -d 'Public key the proxy must have' -x
complete -c mote -l 'proxy-service-name' -d 'SPNEGO service name of the proxy' -x
complete -c mote -l 'proxy-ssl-allow-beast' -d 'Allow this flaw for the proxy'
complete -c mote -l 'proxy-ssl-auto-client-cert' -d 'Pick a client certificate for the proxy'
complete -c mote -l 'proxy-tls13-ciphers' -d 'TLS 1.3 ciphers for the proxy' -x
complete -c mote -l 'proxy-tlsv1' -d 'TLS 1.0 or later for the proxy'
complete -c mote -s 'U' -l 'proxy-user' -d 'User and password for the proxy' -x
complete -c mote -l 'proxy1.0' -d 'HTTP/1.0 proxy to use' -x
complete -c mote -s 'p' -l 'proxytunnel' -d 'Tunnel through an HTTP proxy'
complete -c mote -l 'pubkey' -d 'SSH public key file' -r -F
complete -c mote -s 'Q' -l 'quote' -d 'Commands to send before the transfer' -x
complete -c mote -s 'r' -l 'range' -d 'Get only these bytes of the document' -x
complete -c mote -l 'rate' -d 'Most transfers to start in a time unit' -x
complete -c mote -l 'raw' -d 'Do not decode the content or transfer encoding'
complete -c mote -s 'e' -l 'referer' -d 'Referer to send, \';auto\' keeps it up to date' -x
complete -c mote -s 'J' -l 'remote-header-name' -d 'Name the file as the server says'
complete -c mote -s 'O' -l 'remote-name' -d 'Name the file as the URL does'
complete -c mote -l 'remote-name-all' -d 'Use --remote-name for all URLs'
complete -c mote -s 'R' -l 'remote-time' -d 'Give the file the time of the remote one'
complete -c mote -l 'remove-on-error' -d 'Remove the output file when the transfer fails'
complete -c mote -s 'X' -l 'request' -d 'Request method to use' -x
complete -c mote -l 'request-target' -d 'Target to state in the request line' -x
complete -c mote -l 'resolve' -d 'Address to use for a host and port' -x
complete -c mote -l 'retry' -d 'Retries after a transient error' -x
complete -c mote -l 'retry-all-errors' -d 'Retry after any error'
complete -c mote -l 'retry-connrefused' -d 'Retry when the connection is refused'
complete -c mote -l 'retry-delay' -d 'Time between retries' -x
complete -c mote -l 'retry-max-time' -d 'Do not retry after this time' -x
complete -c mote -l 'sasl-authzid' -d 'Identity for SASL PLAIN' -x
complete -c mote -l 'sasl-ir' -d 'Initial response in SASL authentication'
complete -c mote -l 'service-name' -d 'SPNEGO service name' -x
complete -c mote -s 'S' -l 'show-error' -d 'Show error texts even when silent'
complete -c mote -s 'i' -l 'show-headers' -d 'Show the response headers in the output'
complete -c mote -l 'sigalgs' -d 'TLS signature algorithms to use' -x
complete -c mote -s 's' -l 'silent' -d 'Silent mode'
complete -c mote -l 'skip-existing' -d 'Do not download files that exist'
complete -c mote -l 'socks4' -d 'SOCKS4 proxy' -x
complete -c mote -l 'socks4a' -d 'SOCKS4a proxy' -x
complete -c mote -l 'socks5' -d 'SOCKS5 proxy' -x
complete -c mote -l 'socks5-basic' -d 'User and password for SOCKS5'
complete -c mote -l 'socks5-gssapi' -d 'GSS-API for SOCKS5'
complete -c mote -l 'socks5-gssapi-nec' -d 'Compatibility with the NEC SOCKS5 server'
complete -c mote -l 'socks5-gssapi-service' -d 'SOCKS5 service name for GSS-API' -x
complete -c mote -l 'socks5-hostname' -d 'SOCKS5 proxy, which resolves the name' -x
complete -c mote -s 'Y' -l 'speed-limit' -d 'Stop transfers slower than this' -x
complete -c mote -s 'y' -l 'speed-time' -d 'Time after which a slow transfer is stopped' -x
complete -c mote -l 'ssl' -d 'Try TLS'
complete -c mote -l 'ssl-allow-beast' -d 'Allow this flaw for interoperability'
complete -c mote -l 'ssl-auto-client-cert' -d 'Pick a client certificate'
complete -c mote -l 'ssl-no-revoke' -d 'No revocation checks'
complete -c mote -l 'ssl-reqd' -d 'Require TLS'
complete -c mote -l 'ssl-revoke-best-effort' -d 'Ignore missing revocation lists'
complete -c mote -l 'ssl-sessions' -d 'Load TLS sessions from a file and save them there' -r -F
complete -c mote -l 'stderr' -d 'Write what goes to stderr to this file' -r -F
complete -c mote -l 'styled-output' -d 'Bold header names on a terminal'
complete -c mote -l 'suppress-connect-headers' -d 'Leave out the proxy\'s CONNECT headers'
complete -c mote -l 'tcp-fastopen' -d 'TCP Fast Open'
complete -c mote -l 'tcp-nodelay' -d 'Set TCP_NODELAY'
complete -c mote -s 't' -l 'telnet-option' -d 'TELNET option' -x
complete -c mote -l 'tftp-blksize' -d 'TFTP block size' -x
complete -c mote -l 'tftp-no-options' -d 'Send no TFTP options'
complete -c mote -s 'z' -l 'time-cond' -d 'Transfer only if newer (or older) than this' -x
complete -c mote -l 'tls-earlydata' -d 'Allow TLS 1.3 early data'
complete -c mote -l 'tls-max' -d 'Highest TLS version: default, 1.0, 1.1, 1.2, 1.3' -x
complete -c mote -l 'tls13-ciphers' -d 'TLS 1.3 ciphers to use' -x
complete -c mote -s '1' -l 'tlsv1' -d 'TLS 1.0 or later'
complete -c mote -l 'tlsv1.0' -d 'TLS 1.0 or later'
complete -c mote -l 'tlsv1.1' -d 'TLS 1.1 or later'
complete -c mote -l 'tlsv1.2' -d 'TLS 1.2 or later'
complete -c mote -l 'tlsv1.3' -d 'TLS 1.3 or later'
complete -c mote -l 'tr-encoding' -d 'Ask for a compressed transfer encoding'
complete -c mote -l 'trace' -d 'Write a full trace to a file' -r -F
complete -c mote -l 'trace-ascii' -d 'Like --trace, without the hex' -r -F
complete -c mote -l 'trace-config' -d 'Parts of the library to trace' -x
complete -c mote -l 'trace-ids' -d 'Transfer and connection numbers in traces'
complete -c mote -l 'trace-time' -d 'Time stamps in traces'
complete -c mote -l 'unix-socket' -d 'Connect through a Unix domain socket' -r -F
complete -c mote -s 'T' -l 'upload-file' -d 'Upload a local file' -r -F
complete -c mote -l 'upload-flags' -d 'IMAP upload behavior' -x
complete -c mote -l 'url' -d 'URL to work with' -x
complete -c mote -l 'url-query' -d 'Add to the query of the URL' -x
complete -c mote -s 'B' -l 'use-ascii' -d 'ASCII transfer'
complete -c mote -s 'u' -l 'user' -d 'User and password for the server' -x
complete -c mote -s 'A' -l 'user-agent' -d 'User-Agent to send' -x
complete -c mote -l 'variable' -d 'Set a variable for --expand options' -x
complete -c mote -s 'v' -l 'verbose' -d 'Show what goes on'
complete -c mote -s 'V' -l 'version' -d 'Show version and features'
complete -c mote -l 'vlan-priority' -d 'VLAN priority' -x
complete -c mote -s 'w' -l 'write-out' -d 'Text to show after each transfer' -r -F
complete -c mote -l 'xattr' -d 'Keep URL and type in extended attributes'
