/** Decodes the percent escapes of a text. Returns null if an escape is invalid. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
