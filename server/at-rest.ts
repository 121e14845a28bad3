/** Gives memory back while nobody asks for anything (040): V8 keeps the room that the start or a rush took until the next rush. */
import type { EventEmitter } from 'node:events'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds without a request. Whoever only asks whether the shop is well asks less often. */
const QUIET = 4000
/** Bytes of room for young objects from which on it is worth a pause of some 25 ms; after each rest it is one or two megabytes. */
const WORTH = 8_000_000

export const roomForYoung = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0

/** `server`: what tells each request. One collection is enough: V8 looks again by itself some seconds after it, and gives back what it finds. */
export function restBetween(server: EventEmitter, quiet = QUIET, collect = collectorOf()): void {
  const clock = setTimeout(() => roomForYoung() >= WORTH && collect(), quiet).unref()
  server.on('request', () => clock.refresh())
}

/** V8's own collection, which Node names only where it is asked to. */
export function collectorOf(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
