const counted = (count: number, unit: string) => (count === 1 ? `a${unit === 'hour' ? 'n' : ''} ${unit}` : `${count} ${unit}s`)

/** Rounded up: who waits as long as told gets in. */
export function waitText(seconds: number): string {
  if (seconds < 50) return counted(Math.max(1, Math.ceil(seconds)), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

/** S-237: no row of section 8 knows too many tries. */
export const tooManyTries = (seconds: number): string => `Too many tries. Please wait ${waitText(seconds)} and try again.`

export const tooMuchAtOnce = (seconds: number): string => `That was a lot at once. Please wait ${waitText(seconds)} and try again.`
