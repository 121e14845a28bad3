/** A small proxy in front of several processes: in turn, over kept connections; like Caddy it leaves out a process whose /ready says no, and it asks the next one where a connection is refused, or a kept one had ended before a GET was answered; nothing else is tried twice. */
import { once } from 'node:events'
import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How often it asks each process whether it is ready. */
const CHECK_INTERVAL_MS = 200

export async function openBalancer(ports: number[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let turn = 0
  const failures: string[] = []
  const notReady = new Set<number>()

  async function check(port: number) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null)
    if (answer?.ok) notReady.delete(port)
    else notReady.add(port)
  }
  const checks = setInterval(() => ports.forEach(check), CHECK_INTERVAL_MS)

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, first: number, tried = 0) {
    const checked = ports.filter((port) => !notReady.has(port))
    const ready = checked.length > 0 ? checked : ports
    const port = ready[(first + tried) % ready.length]!
    const asked = ask(
      { agent, host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        // Connections are the proxy's own.
        delete answer.headers.connection
        delete answer.headers['keep-alive']
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
        answer.on('error', () => outgoing.destroy())
      },
    )
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const isUnheard = error.code === 'ECONNRESET' && asked.reusedSocket && incoming.method === 'GET' && !outgoing.headersSent
      if ((error.code === 'ECONNREFUSED' || isUnheard) && tried < ready.length - 1) return pass(incoming, outgoing, body, first, tried + 1)
      failures.push(`${incoming.method} ${incoming.url}: ${error.code} ${error.message}`)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    asked.end(body)
  }
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => pass(incoming, outgoing, Buffer.concat(parts), turn++))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** what no process has answered */
    failures,
    close() {
      clearInterval(checks)
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
