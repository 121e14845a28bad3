/** The message panel is part of the address: `?messages` on any page opens it, so Back closes it and it needs no script. */

const PARAMETER = 'messages'

export const isPanelOpen = (search: string): boolean => new URLSearchParams(search).has(PARAMETER)

/** NAV-22, NAV-47: the search part of the same page with the panel open; other parameters stay. */
export function withPanel(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.set(PARAMETER, '')
  return `?${parameters}`
}

export function withoutPanel(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete(PARAMETER)
  return parameters.size > 0 ? `?${parameters}` : ''
}
