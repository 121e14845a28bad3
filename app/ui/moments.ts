/** A moment as a sentence names it; apart from dates.ts, so that visitors' pages do not carry it. */
import { formatDate, formatTime } from './dates.ts'

export const momentText = (at: number, timeZone: string): string => `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
