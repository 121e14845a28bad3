/**
 * Measures the processor time of processes, because other programs on the same machine hardly
 * influence this time.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** The processor time of each thread in milliseconds. */
export type Used = ReadonlyMap<string, number>

/** Returns the processor time that was used between two samples. */
export const spent = (before: Used, after: Used): number =>
  [...after].reduce((sum, [thread, time]) => sum + time - (before.get(thread) ?? 0), 0)

/**
 * Returns the processor time of a process, its children, and the PostgreSQL processes that serve
 * the database `name`. Throws if the operating system does not report these times.
 */
export function processorTime(pid: number, name = ''): Used {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
  const served =
    name === '' ? [] : readdirSync('/proc').filter((one) => /^\d+$/.test(one) && serves(one, name))
  return new Map([String(pid), ...children, ...served].flatMap(ofProcess))
}

/**
 * Reads the time of all threads of a process from /proc. A process that has just ended has no
 * threads.
 */
function ofProcess(pid: string): [thread: string, milliseconds: number][] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => ofThread(`${pid}/task/${thread}`))
  } catch {
    return []
  }
}

function ofThread(thread: string): [thread: string, milliseconds: number][] {
  try {
    return [[thread, Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6]]
  } catch {
    return []
  }
}

/**
 * Returns true if the title of the process says that PostgreSQL serves the database `name`.
 * Processes for PostgreSQL's own maintenance do not count.
 */
function serves(pid: string, name: string): boolean {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return (
      title.startsWith('postgres:') && title.includes(` ${name} `) && !title.includes('autovacuum')
    )
  } catch {
    return false
  }
}
