/** The message panel is part of the address: `?messages` on any page opens it, so Back closes it and it needs no script. */

const PARAMETER = 'messages'
/** The page of messages before this sequence, in the panel and before the owner (S-164). */
const BEFORE = 'before'

export const isPanelOpen = (search: string): boolean => new URLSearchParams(search).has(PARAMETER)

function changed(search: string, set: Record<string, string>, gone: string[] = []): string {
  const parameters = new URLSearchParams(search)
  for (const name of gone) parameters.delete(name)
  for (const [name, value] of Object.entries(set)) parameters.set(name, value)
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** NAV-22, NAV-47 */
export const withPanel = (search: string): string => changed(search, { [PARAMETER]: '' }, [BEFORE])
export const withoutPanel = (search: string): string => changed(search, {}, [PARAMETER, BEFORE])
export const withBefore = (search: string, seq: number): string => changed(search, { [BEFORE]: String(seq) })
export const withoutBefore = (search: string): string => changed(search, {}, [BEFORE])

/** null: from the newest message, also for what is no sequence. */
export function beforeOf(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get(BEFORE))
  return Number.isInteger(seq) && seq > 0 && seq <= MAX_SEQ ? seq : null
}
/** The databases keep it as an integer of 32 bits. */
const MAX_SEQ = 2 ** 31 - 1
