// A minimal Node server for comparison with the shop. It sends the bytes from standard input as
// each response, with the headers from the
// JSON argument, and echoes WebSocket messages.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

const body = await buffer(process.stdin)
const headers = {
  ...(JSON.parse(process.argv[2] ?? '{}') as Record<string, string>),
  'Content-Length': body.length,
}
const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) =>
  socket.on('message', (message) => socket.send(String(message))),
)
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
process.once('SIGTERM', () => process.exit(0))
