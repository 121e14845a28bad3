/** A PostgreSQL for tests of processes, which may start it anew. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AtTheEnd } from './open-process.ts'

export async function openPostgresServer(atTheEnd: AtTheEnd) {
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('postgres-keeper.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(keeper, 'close')
  atTheEnd(async () => {
    keeper.stdin.end()
    await ended
  })
  const lines = createInterface(keeper.stdout)
  const printed = async () => {
    const [url] = await Promise.race([once(lines, 'line'), ended.then(() => [])])
    if (typeof url !== 'string') throw new Error('PostgreSQL could not be started for the test, see above')
    return url
  }
  return {
    url: await printed(),
    /** All connections break; resolves once new ones are taken. */
    async restart() {
      keeper.stdin.write('again\n')
      await printed()
    },
  }
}
