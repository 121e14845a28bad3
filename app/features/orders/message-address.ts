/** The message panel is part of the address: `?messages` on any page opens it, so Back closes it and it needs no script. */

const PARAMETER = 'messages'

export const isPanelOpen = (search: string): boolean => new URLSearchParams(search).has(PARAMETER)

/** NAV-22: the search part of the same page without the panel; other parameters stay. */
export function withoutPanel(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete(PARAMETER)
  return parameters.size > 0 ? `?${parameters}` : ''
}
