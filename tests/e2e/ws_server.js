// An echo server for WebSocket by ws (Debian's node-ws): node ws_server.js PORT TLSPORT CERTIFICATE KEY.
// Besides echoing, "send N SIZE" sends N binary messages of SIZE bytes, "ping TEXT" a PING, "bye" closes.
const fs = require("fs");
const https = require("https");
const http = require("http");
const { WebSocketServer } = require("/usr/share/nodejs/ws");

function serve(socket) {
  socket.on("pong", (data) => socket.send("pong " + data));
  socket.on("message", (data, binary) => {
    const words = binary ? [] : data.toString().split(" ");
    if (words[0] === "send")
      for (let i = 0; i < Number(words[1]); i++) socket.send(Buffer.alloc(Number(words[2]), i));
    else if (words[0] === "ping") socket.ping(words[1]);
    else if (words[0] === "bye") socket.close(1000, "bye");
    else socket.send(data, { binary });
  });
}

const [port, tlsPort, cert, key] = process.argv.slice(2);
const tls = { cert: fs.readFileSync(cert), key: fs.readFileSync(key) };
for (const [server, at] of [[http.createServer(), port], [https.createServer(tls), tlsPort]]) {
  const options = { server, perMessageDeflate: true, maxPayload: 64 << 20 };
  new WebSocketServer(options).on("connection", serve);
  server.listen(Number(at), "127.0.0.1");
}
