/**
 * How long somebody who comes now waits at the door (047): the shop asks itself, through its own port. No count of requests tells it, since most
 * answers are made in one go, and whoever waits stands in the lines of the operating system.
 * Of a thousand requests that come in one go nothing is known until the last is answered, but for how long that has been going on.
 */
import { request, type Server } from 'node:http'
import { performance } from 'node:perf_hooks'

const ASKED_EVERY = 250
/** Part of the time in which the process had something to do: below it nobody waits, and it is not asked. */
const BUSY = 0.8
/** Long enough to know. */
const GIVEN_UP_AFTER = 10_000

export type DoorWait = {
  /** milliseconds, as known last */
  wait: () => number
  close: () => void
}

/** Of a server that listens, or will. */
export function openDoorWait(server: Server): DoorWait {
  let before = performance.eventLoopUtilization()
  let known = 0
  let begun: number | null = null

  function ask() {
    const place = server.address()
    if (begun !== null || place === null || typeof place === 'string') return
    const at = performance.now()
    begun = at
    const done = () => {
      if (begun !== at) return
      begun = null
      known = performance.now() - at
    }
    const host = place.address === '::' || place.address === '0.0.0.0' ? '127.0.0.1' : place.address
    const asked = request({ host, port: place.port, path: '/health', agent: false, timeout: GIVEN_UP_AFTER }, (answer) => {
      answer.resume().on('close', done)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', done)
    asked.end()
  }

  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > BUSY) ask()
    else if (begun === null) known = 0
  }, ASKED_EVERY).unref()
  /** When the first was met in this turn of the event loop, in which no timer comes. */
  let turn: number | null = null
  function ofTurn() {
    if (turn !== null) return performance.now() - turn
    turn = performance.now()
    setImmediate(() => (turn = null)).unref()
    return 0
  }

  return {
    wait: () => Math.max(known, begun === null ? 0 : performance.now() - begun, ofTurn()),
    close: () => clearInterval(timer),
  }
}
