/** Limits how many large bodies are read at the same time, because each body stays in memory until the response. Further bodies wait unread. */

/** All senders of a queue together may have this many bodies in memory, at most 96 MB. */
export const MAX_CONCURRENT_UPLOADS = 8
/** An upload waits at most this many milliseconds, which is less than proxies wait for a response (60 s). */
const MAX_WAIT_MS = 30_000

/** `sender` is an IP address or a user id. `closeIfReceiving` closes the connection and returns true, or returns false if the whole body has arrived. */
type Upload = { sender: string; signal: AbortSignal; closeIfReceiving?: () => boolean }

/**
 * A sender gets another place only while more places are free than it has: one sender gets 4, because several browsers can share an address, a second sender
 * gets 2, and only four senders together can occupy all places. An upload that has waited for `maxWaitMs` takes the place of an upload whose body is still arriving. [S-420]
 */
export function createUploadQueue(maxWaitMs = MAX_WAIT_MS) {
  /** the uploads that have a place, from the oldest to the newest */
  const active = new Set<Upload>()
  const waiting = new Map<Upload, (isTurn: boolean) => void>()
  const placesOf = ({ sender }: Upload) =>
    [...active].filter((other) => other.sender === sender).length
  const isFreeFor = (upload: Upload) => MAX_CONCURRENT_UPLOADS - active.size > placesOf(upload)

  function finish(upload: Upload, isTurn: boolean) {
    const resolve = waiting.get(upload)
    waiting.delete(upload)
    if (resolve && isTurn) active.add(upload)
    resolve?.(isTurn)
  }

  /** Closes the oldest upload that is still arriving, of the sender with the most places. Returns false if no other sender has more places than this one. */
  function closeArrivingUpload(upload: Upload): boolean {
    const others = [...active]
      .filter((other) => placesOf(other) > placesOf(upload))
      .sort((one, other) => placesOf(other) - placesOf(one))
    const closed = others.find((other) => other.closeIfReceiving?.())
    return closed !== undefined && active.delete(closed)
  }

  async function waitForTurn(upload: Upload): Promise<boolean> {
    if (upload.signal.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting.set(upload, resolve)
    upload.signal.addEventListener('abort', () => finish(upload, false))
    const timer = setTimeout(
      () => waiting.has(upload) && finish(upload, closeArrivingUpload(upload)),
      maxWaitMs,
    )
    const isTurn = await promise
    clearTimeout(timer)
    return isTurn
  }

  return {
    /** Runs `work` when it is the upload's turn. Returns null if the upload waited too long, or if `signal` reports that the client has disconnected. */
    async run<Result>(upload: Upload, work: () => Promise<Result>): Promise<Result | null> {
      if (isFreeFor(upload)) active.add(upload)
      else if (!(await waitForTurn(upload))) return null
      try {
        return await work()
      } finally {
        active.delete(upload)
        for (const next of waiting.keys()) if (isFreeFor(next)) finish(next, true)
      }
    },
  }
}
