export const MAX_RECIPIENT_LENGTH = 120
export const MAX_ADDRESS_LENGTH = 300
export const MAX_ADDRESS_LINES = 8

/** Parses a postal address. Removes blank lines, and spaces at the start and end of each line. Returns null if the address is too long. */
export function parseAddress(typed: string): string | null {
  const lines = typed
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const address = lines.join('\n')
  return lines.length <= MAX_ADDRESS_LINES && address.length <= MAX_ADDRESS_LENGTH ? address : null
}
