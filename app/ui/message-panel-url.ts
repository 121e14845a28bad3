/** The URL contains `?messages` while the message panel is open, so that the Back button closes the panel and the panel works without JavaScript. */

const PARAMETER = 'messages'
/** The value of this URL parameter is a sequence number. The panel shows only messages with lower numbers. [S-164] */
const BEFORE = 'before'

export const isPanelOpen = (search: string): boolean => new URLSearchParams(search).has(PARAMETER)

function withParameters(search: string, set: Record<string, string>, gone: string[] = []): string {
  const parameters = new URLSearchParams(search)
  for (const name of gone) parameters.delete(name)
  for (const [name, value] of Object.entries(set)) parameters.set(name, value)
  return parameters.size > 0 ? `?${parameters}` : ''
}

export const withPanel = (search: string): string =>
  withParameters(search, { [PARAMETER]: '' }, [BEFORE])
export const withoutPanel = (search: string): string =>
  withParameters(search, {}, [PARAMETER, BEFORE])
/** Returns `address` with the message panel open if the panel is open in `search`. `address` has no hash. */
export const keepPanel = (address: string, search: string): string =>
  isPanelOpen(search) ? `${address}${address.includes('?') ? '&' : '?'}${PARAMETER}=` : address
export const withBefore = (search: string, seq: number): string =>
  withParameters(search, { [BEFORE]: String(seq) })
export const withoutBefore = (search: string): string => withParameters(search, {}, [BEFORE])

/** Returns null if the URL has no valid sequence number. The panel then shows the newest messages. */
export function readBefore(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get(BEFORE))
  return Number.isInteger(seq) && seq > 0 && seq <= MAX_SEQ ? seq : null
}
/** The databases store sequence numbers as 32-bit integers. */
const MAX_SEQ = 2 ** 31 - 1
