export const MAX_RECIPIENT_LENGTH = 120
export const MAX_ADDRESS_LENGTH = 300
export const MAX_ADDRESS_LINES = 8

export function parseAddress(typed: string) {
  const lines = typed
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const address = lines.join('\n')
  return lines.length <= MAX_ADDRESS_LINES && address.length <= MAX_ADDRESS_LENGTH ? address : null
}
