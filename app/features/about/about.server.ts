import { z } from 'zod'
import { readScenes, slideScenes } from '#app/features/images/scenes.server.ts'
import { shopText } from '#app/features/settings/page-texts.server.ts'
import { readSettingGroup } from '#app/features/settings/settings.server.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import type { AppServices } from '#app/services/context.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { Db } from '#db/schema.ts'
import { type AboutTexts, slideNumbers } from './about-texts.ts'
import { defaultAboutTexts } from './owner-texts.ts'

export type Slide = { title: string; message: string; alt: string; picture: PictureView | null }
export type About = { intro: string; slides: Slide[] }

export const readAboutTexts = (db: Db): Promise<AboutTexts> =>
  readSettingGroup(db, defaultAboutTexts)

export const readAboutCached = (app: Pick<AppServices, 'db' | 'live'>): Promise<About> =>
  cached(app, ['catalog', 'settings'], 'about', async () =>
    toAbout(await readAboutTexts(app.db), await readSlidePictures(app.db)),
  )

export const readSlidePictures = async (db: Db): Promise<(PictureView | null)[]> =>
  (await readScenes(db, slideScenes)).map(({ picture }) => picture)

export const toAbout = (texts: AboutTexts, pictures: (PictureView | null)[]): About => ({
  intro: texts.aboutIntro,
  slides: slideNumbers.map((number, at) => ({
    title: texts[`slideTitle${number}`],
    message: texts[`slideText${number}`],
    alt: texts[`slideAlt${number}`],
    picture: pictures[at] ?? null,
  })),
})

const maxLength = (key: string): number =>
  key.startsWith('slideTitle') ? 60 : key.startsWith('slideAlt') ? 200 : 600

export const AboutTextsSchema = z.object(
  Object.fromEntries(
    Object.keys(defaultAboutTexts).map((key) => [key, shopText(maxLength(key))]),
  ) as Record<keyof AboutTexts, z.ZodString>,
) satisfies z.ZodType<AboutTexts>
