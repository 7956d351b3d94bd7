// quic_go: a server of HTTP/3 by quic-go, for tests/e2e/http3_servers.py. It serves the files of a folder,
// /echo (the request's body) and /bytes/N, and says by a file that it listens.
//
//	usage: quic_go PORT CERT KEY READY FOLDER
//
// It is built by hand where Go is: CGO_ENABLED=0 go build -o ../../../build/servers/quic_go
package main

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func bytes(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/bytes/"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	body := make([]byte, n)
	for i := range body {
		body[i] = byte(i % 251)
	}
	w.Header().Set("content-length", strconv.Itoa(n))
	w.Write(body)
}

func main() {
	port, cert, key, ready, folder := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(folder)))
	mux.HandleFunc("/bytes/", bytes)
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	mux.HandleFunc("/trailers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		w.Write([]byte("body\n"))
		w.Header().Set("X-Sum", "7")
	})
	socket, err := net.ListenPacket("udp", "127.0.0.1:"+port)
	must(err)
	pair, err := tls.LoadX509KeyPair(cert, key)
	must(err)
	config := http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{pair}})
	server := &http3.Server{Handler: mux, TLSConfig: config,
		QUICConfig: &quic.Config{Allow0RTT: true, MaxIncomingStreams: 2000}}
	must(os.WriteFile(ready, nil, 0o644))
	must(server.Serve(socket))
}
