export function decodePercent(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
