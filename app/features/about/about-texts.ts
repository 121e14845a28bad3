type SlideNumber = 1 | 2 | 3 | 4 | 5
type SlidePart = 'Title' | 'Text' | 'Alt'

/** The texts of the About page that the owner edits. Each text is a separate setting. `slideAlt1` says what the first slide's picture shows. [OWN-11] */
export type AboutTexts = Record<'aboutIntro' | `slide${SlidePart}${SlideNumber}`, string>

export const slideNumbers: readonly SlideNumber[] = [1, 2, 3, 4, 5]
