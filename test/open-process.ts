/** The built shop as a process that a test starts, watches and ends; unlike a journey's shop it may fail to start. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Compiled once for all of them: a third of the work of a start is not done again. */
export const compiled = fileURLToPath(new URL('../.cache/compiled-tests', import.meta.url))

export type AtTheEnd = (end: () => Promise<void>) => void

/** `atTheEnd`: of the test, unless several tests share it. */
export async function newDataDir(atTheEnd: AtTheEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-data-'))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A slow machine is no crowd: nobody is refused for having waited (047), unless a test is about that. */
export const patientShop = { LONGEST_WAIT_MS: '60000' }

/** Starts `node build/server/index.js`; nothing of the surroundings' settings gets in. */
export function openProcess(env: Record<string, string>, atTheEnd: AtTheEnd = onTestFinished) {
  const child = spawn(process.execPath, ['build/server/index.js'], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', DEMO: '0', NODE_COMPILE_CACHE: compiled, ...patientShop, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let noted = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
      noted()
    })
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code as number | null, signal: signal as string | null }))
  atTheEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    output: () => printed,
    pid: child.pid!,
    ended,
    kill: (signal: 'SIGTERM' | 'SIGKILL') => child.kill(signal),
    /** Its address, once it has printed it; an error when it ends before. */
    opened: new Promise<string>((done, fail) => {
      noted = () => {
        const url = /is open at (http:\S+?)\/\n/.exec(printed)?.[1]
        if (url) done(url)
      }
      void ended.then(() => fail(new Error(`the shop did not open:\n${printed}`)))
    }),
  }
}
