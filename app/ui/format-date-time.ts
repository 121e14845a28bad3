/** `formatDateTime` has its own module, so that the pages for visitors do not load this function. */
import { formatDate, formatTime } from './format-date.ts'

export const formatDateTime = (at: number, timeZone: string): string =>
  `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
