/** What somebody takes along of her data, and how the archive calls it. */

import { libraryTime } from '#app/platform/library-date.ts'

export type OwnMessage = {
  at: number
  from: 'you' | 'shop'
  text: string
  /** `path` in the shop, `name` in the archive */
  pictures: { path: string; name: string }[]
}

export const isoTime = (at: number): string => new Date(at).toISOString()
/** Of a date of the authentication library. */
export const timeOf = (date: unknown): string => isoTime(libraryTime(date))

/** "my-data-2026-03-04.zip", in the owner's folder "customer-data-…"; no name of a person, whatever the person is called */
export const archiveName = (at: number, isForOwner: boolean): string =>
  `${isForOwner ? 'customer' : 'my'}-data-${isoTime(at).slice(0, 10)}.zip`
