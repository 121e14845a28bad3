import { toImageView } from '#app/features/catalog/catalog.server.ts'
import { readScenes, slideScenes } from '#app/features/images/scenes.server.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { Db } from '#db/schema.ts'
import { slideTexts } from './texts.ts'

export type Slide = (typeof slideTexts)[number] & { picture: PictureView | null }

export async function listSlides(db: Db): Promise<Slide[]> {
  const scenes = await readScenes(db, slideScenes)
  return slideScenes.map((scene, at) => {
    const image = scenes.get(scene)
    return { ...slideTexts[at]!, picture: image ? toImageView(image) : null }
  })
}
