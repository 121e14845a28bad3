/** Visitors load format-date.ts, but never need this function. */
import { formatDate, formatTime } from './format-date.ts'

export const formatDateTime = (at: number, timeZone: string) =>
  `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
