/** Fetches one picture from where the hosted shop kept it: limited in time and size, over https unless the owner says otherwise. */

/** Somewhat above what the shop takes from a form: an original that was made anew may be larger than what was sent. */
export const MOST_BYTES = 40_000_000
const PATIENCE = 30_000

export type Fetched = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; why: string }

export async function fetchPicture(url: string, mayBeHttp: boolean): Promise<Fetched> {
  const isAllowed = (address: string) => /^https:/i.test(address) || (mayBeHttp && /^http:/i.test(address))
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return { ok: false, why: 'no address that can be fetched' }
  if (!isAllowed(url)) return { ok: false, why: 'an http address (--allow-http fetches those too)' }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), credentials: 'omit' })
    const refuse = async (why: string): Promise<Fetched> => {
      await response.body?.cancel()
      return { ok: false, why }
    }
    if (!isAllowed(response.url)) return await refuse('it leads on to an http address')
    if (!response.ok) return await refuse(`the storage answered ${response.status}`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > MOST_BYTES) return { ok: false, why: `more than ${MOST_BYTES} bytes` }
      parts.push(part)
    }
    return { ok: true, bytes: new Uint8Array(Buffer.concat(parts)) }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { ok: false, why: isLate ? `no answer within ${PATIENCE / 1000} seconds` : 'the storage could not be reached' }
  }
}
