/** Starts bare-server.ts, the minimal server with which the shop is compared. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Starts a server that sends the body and the headers of `page` as each response, except for the
 * headers that Node writes itself.
 */
export async function serveBare(page: {
  headers: IncomingHttpHeaders
  body: Uint8Array
}): Promise<{ origin: string; stop: () => Promise<void> }> {
  const {
    connection: _1,
    'keep-alive': _2,
    'transfer-encoding': _3,
    'content-length': _4,
    date: _5,
    ...headers
  } = page.headers
  const program = new URL('bare-server.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, JSON.stringify(headers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(page.body)
  const [line] = await once(child.stdout, 'data')
  return {
    origin: `http://127.0.0.1:${String(line).trim()}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
