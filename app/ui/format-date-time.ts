/** This function has its own module, so that pages for visitors do not load it. */
import { formatDate, formatTime } from './format-date.ts'

export const formatDateTime = (at: number, timeZone: string): string => `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
