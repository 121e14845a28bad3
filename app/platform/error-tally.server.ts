/** How many errors the log has taken in each hour of the last day, kept over restarts in the data folder (046). */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { putFile } from './durable-file.server.ts'

const HOUR = 3_600_000
const KEPT_HOURS = 24
/** Errors come in bursts: they are written together. */
const WRITTEN_AFTER = 5000
const Hours = z.array(z.tuple([z.int(), z.int()]))

export type ErrorTally = Awaited<ReturnType<typeof openErrorTally>>

/** `path` null: in memory alone. A tally that cannot be read or written is no reason to stop. */
export async function openErrorTally(path: string | null, now: () => number) {
  const read = async () => Hours.parse(JSON.parse(await readFile(path!, 'utf8')))
  const hours = new Map(path === null ? [] : await read().catch(() => []))
  let timer: NodeJS.Timeout | undefined

  const lastHours = () => [...hours].filter(([hour]) => hour >= Math.floor(now() / HOUR) - KEPT_HOURS)
  async function write() {
    timer = undefined
    if (path !== null) await putFile(path, JSON.stringify(lastHours()), { mode: 0o600 }).catch(() => {})
  }
  return {
    count() {
      const hour = Math.floor(now() / HOUR)
      hours.set(hour, (hours.get(hour) ?? 0) + 1)
      timer ??= setTimeout(() => void write(), WRITTEN_AFTER).unref()
    },
    lastDay: () => lastHours().reduce((sum, [, count]) => sum + count, 0),
    async close() {
      clearTimeout(timer)
      if (timer !== undefined) await write()
    },
  }
}
