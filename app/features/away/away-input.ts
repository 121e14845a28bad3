/** What the owner may write about her absence. */
import { z } from 'zod'
import { isDay } from '#app/ui/dates.ts'
import { MAX_AWAY_TEXT } from './away.ts'

const day = z
  .string()
  .trim()
  .refine((text) => text === '' || isDay(text), 'Please choose a day, or leave it empty')

export const AwayInput = z
  .object({
    awayFrom: day,
    awayUntil: day,
    awayText: z.string().trim().max(MAX_AWAY_TEXT, `Please keep the message under ${MAX_AWAY_TEXT} characters`),
  })
  .refine(({ awayFrom, awayUntil }) => awayFrom === '' || awayUntil === '' || awayFrom <= awayUntil, {
    path: ['awayUntil'],
    error: 'The last day is before the first',
  })
