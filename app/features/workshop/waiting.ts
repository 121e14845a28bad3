/** How the owner is told what waits for her, in few words. */

/** By the address of the section; `saying` is heard where the number is seen: "3 unread". */
export type Counts = Record<string, { count: number; saying: string }>
type Counted = { unread: number; letters: number; voices: number; urgent: number }

export const countsOf = ({ unread, letters, voices, urgent }: Counted): Counts => ({
  '/manage/messages/': { count: unread, saying: `${unread} unread` },
  '/manage/mail/': { count: letters, saying: `${letters} not delivered` },
  // S-271
  '/manage/settings/': { count: urgent, saying: `${urgent} to care for now` },
  '/manage/testimonials/': { count: voices, saying: `${voices} to look at` },
})

export const piecesText = (pieces: number): string => (pieces === 1 ? '1 piece' : `${pieces} pieces`)

/** One line for many colours: "Mustard, Plum". */
export const colorNames = (colors: { name: string }[]): string => colors.map(({ name }) => name.replaceAll('_', ' ')).join(', ')
