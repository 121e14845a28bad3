import { formatCount } from './format-count.ts'

export function formatBytes(bytes: number) {
  if (bytes < 1000) return `${bytes} bytes`
  const units = { kB: 1e3, MB: 1e6, GB: 1e9 }
  const largeUnit = bytes < 1e9 ? 'MB' : 'GB'
  const unit = bytes < 1e6 ? 'kB' : largeUnit
  const value = bytes / units[unit]
  return `${value < 9.95 ? value.toFixed(1) : formatCount(Math.round(value))} ${unit}`
}
