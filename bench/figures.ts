/** Numbers for people: the middle and the edge of many, and how a count of bytes, a time or a ratio is written. */

/** The value below which the share `part` (0 to 1) of the numbers lies; 0 for no numbers. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5)

/** Thousands of bytes, as the budgets count them: 130 kB are 130,000 bytes. */
export const kB = (bytes: number): string => (bytes / 1000).toFixed(1)
export const ms = (milliseconds: number): string => milliseconds.toFixed(milliseconds < 10 ? 2 : 0)
export const whole = (number: number): string => Math.round(number).toLocaleString('en-US')
/** "3.1 x"; a dash when there is nothing to compare with. */
export const times = (number: number, base: number): string => (base > 0 ? `${(number / base).toFixed(2)} x` : '–')
