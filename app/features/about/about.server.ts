import { readScenes, sceneActions, slideScenes, type PageContext } from '#images/scenes.server.ts'
import {
  declarePageTexts,
  readPageTexts,
  readPageTextSections,
  savePageTexts,
  shopText,
} from '#settings/page-texts.server.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { AppServices } from '#services/context.ts'
import type { ImageView } from '#ui/responsive-image.tsx'
import type { Db } from '#db/schema.ts'
import type { ActionTable } from '#lib/http/form-actions.server.ts'

export type About = ReturnType<typeof toAbout>

export const slideNumbers = [1, 2, 3, 4, 5] as const
type SlideNumber = (typeof slideNumbers)[number]

const alt = {
  label: 'What the picture shows',
  hint: 'For people who cannot see it. Describe your own picture after you have uploaded it.',
  schema: shopText(200),
}
const title = { label: 'Title', schema: shopText(60) }
const message = { label: 'Text', rows: 4, schema: shopText(600) }

const slide = <Input extends object>(number: SlideNumber, input: Input, initial: string) => ({
  section: `slide-${number}` as const,
  default: initial,
  ...input,
})

/** The default texts must be true for any shop. */
export const aboutPageTexts = declarePageTexts(
  {
    beginning: 'Beginning of the page',
    'slide-1': 'Slide 1',
    'slide-2': 'Slide 2',
    'slide-3': 'Slide 3',
    'slide-4': 'Slide 4',
    'slide-5': 'Slide 5',
  },
  {
    aboutIntro: {
      section: 'beginning',
      label: 'Sentence below the heading',
      rows: 2,
      default: 'How a piece is made, in five pictures.',
      schema: shopText(600),
    },
    slideAlt1: slide(
      1,
      alt,
      'A table with a coil of cord, scissors, wooden beads and a cup of tea',
    ),
    slideTitle1: slide(1, title, 'Cord and scissors'),
    slideText1: slide(
      1,
      message,
      'Macrame needs little: cord, a pair of scissors, and time. Everything else is knots.',
    ),
    slideAlt2: slide(2, alt, 'A person knots a wall hanging on a wooden rack'),
    slideTitle2: slide(2, title, 'Knot by knot'),
    slideText2: slide(
      2,
      message,
      'A piece grows from the top down, row by row. No machine ties these knots; two hands do.',
    ),
    slideAlt3: slide(3, alt, 'Plants in macrame hangers at a window, and a cat on the sill'),
    slideTitle3: slide(3, title, 'A place to hang'),
    slideText3: slide(
      3,
      message,
      'Macrame belongs where people live: on a wall, at a window, around a favorite plant.',
    ),
    slideAlt4: slide(4, alt, 'Shelves full of cord in many colors'),
    slideTitle4: slide(4, title, 'Color'),
    slideText4: slide(
      4,
      message,
      'Cord comes in many colors. If you look for a certain one, ask before you order.',
    ),
    slideAlt5: slide(5, alt, 'Two hands tie a parcel with cord, a card beside it'),
    slideTitle5: slide(5, title, 'On its way'),
    slideText5: slide(5, message, 'When the last knot is tied, a piece is ready for its new home.'),
  },
)

export const readAboutCached = (app: AppServices) =>
  cached(app, ['catalog', 'settings'], 'about', async () =>
    toAbout(await readPageTexts(app.db, aboutPageTexts), await readSlideImages(app.db)),
  )

export async function readAboutEditor({ db }: AppServices) {
  const [sections, scenes] = await Promise.all([
    readPageTextSections(db, aboutPageTexts),
    readScenes(db, slideScenes),
  ])
  return { sections, scenes }
}

export const readSlideImages = async (db: Db) =>
  (await readScenes(db, slideScenes)).map(({ image }) => image)

export const toAbout = (texts: typeof aboutPageTexts.defaults, images: (ImageView | null)[]) => ({
  intro: texts.aboutIntro,
  slides: slideNumbers.map((number, index) => ({
    title: texts[`slideTitle${number}`],
    message: texts[`slideText${number}`],
    alt: texts[`slideAlt${number}`],
    image: images[index] ?? null,
  })),
})

export const aboutActions: ActionTable<PageContext> = {
  ...sceneActions,
  save: ({ app, actor }, form) => savePageTexts(app, actor, form, aboutPageTexts),
}
