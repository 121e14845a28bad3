/**
 * The URL says whether the panel is open, so that Back closes the panel, even without JavaScript.
 */
const PARAMETER = 'messages'
const BEFORE = 'before'

export const isPanelOpen = (search: string) => new URLSearchParams(search).has(PARAMETER)

function withParameters(search: string, changes: Record<string, string | null>) {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name)
    else parameters.set(name, value)
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

export const withPanel = (search: string) =>
  withParameters(search, { [BEFORE]: null, [PARAMETER]: '' })
export const withoutPanel = (search: string) =>
  withParameters(search, { [PARAMETER]: null, [BEFORE]: null })
export const keepPanel = (address: string, search: string) =>
  isPanelOpen(search) ? `${address}${address.includes('?') ? '&' : '?'}${PARAMETER}=` : address
export const withBefore = (search: string, seq: number) =>
  withParameters(search, { [BEFORE]: String(seq) })
export const withoutBefore = (search: string) => withParameters(search, { [BEFORE]: null })

export function readBefore(search: string) {
  const seq = Number(new URLSearchParams(search).get(BEFORE))
  return Number.isInteger(seq) && seq > 0 && seq <= MAX_SEQ ? seq : null
}
const MAX_SEQ = 2 ** 31 - 1
