/** Starts the bare server that the shop is compared with. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function serveBare(body: Uint8Array): Promise<{ origin: string; pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [new URL('bare-server.ts', import.meta.url).pathname], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  const [line] = await once(child.stdout, 'data')
  return {
    pid: child.pid!,
    origin: `http://127.0.0.1:${String(line).trim()}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
