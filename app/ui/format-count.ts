/** Returns for example "1 picture" or "1,204 rows". */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** Returns for example "12 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const unit = bytes < 1e6 ? 'kB' : bytes < 1e9 ? 'MB' : 'GB'
  const value = bytes / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit]
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US')} ${unit}`
}
