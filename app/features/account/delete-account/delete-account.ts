import { deletionSummaryTexts as texts } from '#app/features/account/texts.ts'
import type { UserDataSummary } from '#app/features/auth/user-data-summary.server.ts'

/** Returns text such as "1 favorite, 12 messages with 3 pictures and 1 testimony", or '' if there is no data. */
export const deletedDataText = ({
  favorites,
  messages,
  pictures,
  testimonies,
  credits,
}: UserDataSummary): string =>
  texts.list([
    ...(favorites > 0 ? [texts.favorites(favorites)] : []),
    ...(messages > 0 ? [texts.messages(messages, pictures)] : []),
    ...(testimonies > 0 ? [texts.testimonies(testimonies)] : []),
    ...(credits > 0 ? [texts.credits(credits)] : []),
  ])

export type DataRequest = {
  email: string
  found: {
    id: string
    name: string
    email: string
    since: number
    belongings: UserDataSummary
  } | null
  refusal: string | null
}
