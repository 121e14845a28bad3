/** A module of its own, so that pages of visitors do not load it. */
import { formatDate, formatTime } from './format-date.ts'

export const formatDateTime = (at: number, timeZone: string): string => `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
