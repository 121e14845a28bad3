/** The texts of the page on which the owner edits the About page, and the default texts of the About page. The default texts must be true for any shop. */
import type { AboutTexts } from './about-texts.ts'

export const defaultAboutTexts: AboutTexts = {
  aboutIntro: 'How a piece is made, in five pictures.',
  slideTitle1: 'Cord and scissors',
  slideText1: 'Macrame needs little: cord, a pair of scissors, and time. Everything else is knots.',
  slideAlt1: 'A table with a coil of cord, scissors, wooden beads and a cup of tea',
  slideTitle2: 'Knot by knot',
  slideText2:
    'A piece grows from the top down, row by row. No machine ties these knots; two hands do.',
  slideAlt2: 'A person knots a wall hanging on a wooden rack',
  slideTitle3: 'A place to hang',
  slideText3: 'Macrame belongs where people live: on a wall, at a window, around a favorite plant.',
  slideAlt3: 'Plants in macrame hangers at a window, and a cat on the sill',
  slideTitle4: 'Color',
  slideText4: 'Cord comes in many colors. If you look for a certain one, ask before you order.',
  slideAlt4: 'Shelves full of cord in many colors',
  slideTitle5: 'On its way',
  slideText5: 'When the last knot is tied, a piece is ready for its new home.',
  slideAlt5: 'Two hands tie a parcel with cord, a card beside it',
}

export const editAboutTexts = {
  title: 'About page',
  intro:
    'Five slides about you and your work. Pictures change immediately; texts change when you save them.',
  beginning: 'Beginning of the page',
  introText: 'Sentence below the heading',
  slide: (number: number) => `Slide ${number}`,
  slideTitle: 'Title',
  slideText: 'Text',
  alt: 'What the picture shows',
  altHint: 'For people who cannot see it. Describe your own picture after you have uploaded it.',
}
