type SlideNumber = 1 | 2 | 3 | 4 | 5
type SlidePart = 'Title' | 'Text' | 'Alt'

/** The texts of About that the owner edits. Each text is stored as a separate setting. `slideAlt1`: what the first picture shows. [OWN-11] */
export type AboutTexts = Record<'aboutIntro' | `slide${SlidePart}${SlideNumber}`, string>

export const slideNumbers: readonly SlideNumber[] = [1, 2, 3, 4, 5]
export const slideParts: readonly SlidePart[] = ['Title', 'Text', 'Alt']
