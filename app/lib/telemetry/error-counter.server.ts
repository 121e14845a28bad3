import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { writeFileAtomic } from '../storage/atomic-write.server.ts'

const HOUR_MS = 3_600_000
const RETENTION_HOURS = 24
const WRITE_DELAY_MS = 5000
const Hours = z.array(z.tuple([z.int(), z.int()]))

export type ErrorCounter = Awaited<ReturnType<typeof createErrorCounter>>

export async function createErrorCounter(path: string, now: () => number) {
  const read = async () => Hours.parse(JSON.parse(await readFile(path, 'utf8')))
  const hours = new Map(await read().catch(() => []))
  let timer: NodeJS.Timeout | undefined

  const lastHours = () =>
    [...hours].filter(([hour]) => hour >= Math.floor(now() / HOUR_MS) - RETENTION_HOURS)
  async function write() {
    timer = undefined
    await writeFileAtomic(path, JSON.stringify(lastHours()), { mode: 0o600 }).catch(() => {})
  }
  return {
    count() {
      const hour = Math.floor(now() / HOUR_MS)
      hours.set(hour, (hours.get(hour) ?? 0) + 1)
      timer ??= setTimeout(() => void write(), WRITE_DELAY_MS).unref()
    },
    lastDay: () => lastHours().reduce((sum, [, count]) => sum + count, 0),
    async close() {
      clearTimeout(timer)
      if (timer !== undefined) await write()
    },
  }
}
