/** Returns the first character of a text as a reader sees it, for example a whole flag, and '' for an empty text. */
export const firstCharacter = (text: string): string =>
  [...new Intl.Segmenter().segment(text.trim())][0]?.segment ?? ''
