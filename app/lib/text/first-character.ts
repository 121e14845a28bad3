export const firstCharacter = (text: string) =>
  [...new Intl.Segmenter().segment(text.trim())][0]?.segment ?? ''
