/** Starts bare-server.ts, the minimal server with which the shop is compared. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function serveBare(
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const program = new URL('bare-server.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, JSON.stringify(headers)], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
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
