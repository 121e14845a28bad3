/** The message panel is part of the address: `?messages` on any page opens it, so Back closes it and it needs no script. */

const PARAMETER = 'messages'
/** The page of messages before this sequence, in the panel and before the owner (S-164). */
const BEFORE = 'before'

export const isPanelOpen = (search: string): boolean => new URLSearchParams(search).has(PARAMETER)

/** NAV-22, NAV-47: the search part of the same page with the panel open; other parameters stay. */
export function withPanel(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.set(PARAMETER, '')
  parameters.delete(BEFORE)
  return `?${parameters}`
}

export function withoutPanel(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete(PARAMETER)
  parameters.delete(BEFORE)
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** The same page with what came before `seq`. */
export function withBefore(search: string, seq: number): string {
  const parameters = new URLSearchParams(search)
  parameters.set(BEFORE, String(seq))
  return `?${parameters}`
}

export function withoutBefore(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete(BEFORE)
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** null: from the newest message, also for what is no sequence. */
export function beforeOf(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get(BEFORE))
  return Number.isInteger(seq) && seq > 0 && seq <= MAX_SEQ ? seq : null
}
/** The databases keep it as an integer of 32 bits. */
const MAX_SEQ = 2 ** 31 - 1
