/** How many errors the log has taken in each hour of the last day, kept over restarts in the data folder (046). */
import { readFile } from 'node:fs/promises'
import { putFile } from './durable-file.server.ts'

const HOUR = 3_600_000
const KEPT_HOURS = 24
/** Errors come in bursts: they are written together. */
const WRITTEN_AFTER = 5000

export type ErrorTally = {
  count: () => void
  lastDay: () => number
  close: () => Promise<void>
}

/** `path` null: in memory alone. A tally that cannot be read or written is no reason to stop. */
export async function openErrorTally(path: string | null, now: () => number): Promise<ErrorTally> {
  const hours = new Map<number, number>(path === null ? [] : await readHours(path))
  let timer: NodeJS.Timeout | undefined

  const forgetOld = () => {
    const oldest = Math.floor(now() / HOUR) - KEPT_HOURS
    for (const hour of hours.keys()) if (hour < oldest) hours.delete(hour)
  }
  async function write() {
    timer = undefined
    forgetOld()
    if (path === null) return
    await putFile(path, JSON.stringify([...hours]), { mode: 0o600 }).catch(() => {})
  }

  return {
    count() {
      const hour = Math.floor(now() / HOUR)
      hours.set(hour, (hours.get(hour) ?? 0) + 1)
      timer ??= setTimeout(() => void write(), WRITTEN_AFTER).unref()
    },
    lastDay() {
      forgetOld()
      return [...hours.values()].reduce((sum, count) => sum + count, 0)
    },
    async close() {
      if (timer === undefined) return
      clearTimeout(timer)
      await write()
    },
  }
}

async function readHours(path: string): Promise<[number, number][]> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    const isPair = (one: unknown): one is [number, number] => Array.isArray(one) && Number.isInteger(one[0]) && Number.isInteger(one[1])
    return Array.isArray(read) ? read.filter(isPair) : []
  } catch {
    return []
  }
}
