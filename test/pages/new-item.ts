/** Opens the form of a new item, reads its draft in the browser, and creates photos for it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { OWNER, PHONE } from '#test/fixtures/browser.ts'
import { type ServedPages, soon } from './shop.ts'

export const UPLOADS = '**/manage/item-picture'

export const openNewItem = (here: ServedPages, viewport = PHONE) =>
  here.open('/manage/item/', {
    as: OWNER,
    viewport,
    // Records the size of each uploaded file in bytes.
    before: (page) =>
      page.addInitScript(() => {
        const sent: number[] = []
        Object.assign(window, { sent })
        const { send } = XMLHttpRequest.prototype
        XMLHttpRequest.prototype.send = function (body) {
          if (body instanceof FormData) sent.push((body.get('file') as File).size)
          send.call(this, body)
        }
      }),
  })
export const sentBytes = (page: Page) =>
  page.evaluate(() => (window as unknown as { sent: number[] }).sent)
export const card = (page: Page, at: number) =>
  page
    .getByRole('list', { name: 'Order of images' })
    .getByRole('listitem', { name: `image ${at}`, exact: true })
export const cards = (page: Page) =>
  page.getByRole('list', { name: 'Order of images' }).getByRole('listitem')
export const choose = (page: Page, files: string[]) =>
  page.getByLabel('Choose images').setInputFiles(files)
export const uploaded = (page: Page) => page.getByText('Uploaded', { exact: true })

export async function fillIn(page: Page, name: string) {
  await page.getByLabel('Name *').fill(name)
  await page.getByLabel('Price *').fill('48')
  await page.getByLabel('Description *').fill('Four cords, one ring.')
}
export const chooseCategory = (page: Page) =>
  page.getByLabel('Category *').selectOption({ label: 'Coasters' })
export async function add(page: Page) {
  await page.getByRole('button', { name: 'Add Item' }).click()
  await page.getByText('Item Successfully Added!').waitFor()
}

/**
 * Opens an item of the category Coasters as a visitor. Returns the images of the item in the
 * sequence that visitors see.
 */
export async function openAsVisitor(here: ServedPages, name: string) {
  const visitor = await here.open('/gallery/coasters')
  await visitor.getByRole('link', { name }).first().click()
  await visitor.getByRole('heading', { level: 1, name }).waitFor()
  const images = await visitor.locator('figure ul img').all()
  const files = await Promise.all(
    images.map(async (image) =>
      (await visitor.request.get((await image.getAttribute('src'))!)).body(),
    ),
  )
  return { visitor, files, hues: await Promise.all(files.map(hueOf)) }
}

/** Returns the drafts in the browser's database. */
const drafts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((done) => {
        const opening = indexedDB.open('item-drafts')
        opening.onsuccess = () => {
          const all = opening.result.transaction('item-drafts').objectStore('item-drafts').getAll()
          all.onsuccess = () => (opening.result.close(), done(JSON.stringify(all.result)))
        }
      }),
  )
export const draftContains = (page: Page, text: string) => soon(() => drafts(page)).toContain(text)
/** Waits until the draft contains an image, because the form stores images and texts separately. */
export const draftHasStoredFile = (page: Page) => draftContains(page, '"file":null')
export const hasNoDraft = (page: Page) => soon(() => drafts(page)).toBe('[]')

// Creates photos like those of a phone: large, grainy and rotated. Tests recognize each photo by
// its color.

const HUES = { red: '#c0392b', green: '#3f8f4f', blue: '#2f5d93', honey: '#d9a63c' } as const
export type Hue = keyof typeof HUES

type Photo = {
  hue: Hue
  width?: number
  height?: number
  /** the Exif orientation; 6 means that the camera was turned by 90 degrees */ orientation?: number
  quality?: number
}

/**
 * Creates a JPEG. By default it has 12 megapixels. With the quality 94, the file has about 5 MB.
 */
export async function photo({
  hue,
  width = 4032,
  height = 3024,
  orientation = 1,
  quality = 94,
}: Photo): Promise<Buffer> {
  const size = { width, height, channels: 3 as const, background: HUES[hue] }
  // Repeats a small piece of grain, because creating grain for the whole photo would take seconds.
  const patch = { ...size, width: Math.min(width, 600), height: Math.min(height, 600) }
  const grain = await sharp({
    create: { ...patch, noise: { type: 'gaussian', mean: 128, sigma: 16 } },
  })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp({ create: size })
    .composite([{ input: grain, blend: 'soft-light', tile: true }])
    .jpeg({ quality })
    .withMetadata({ orientation })
    .toBuffer()
}

/** Writes photos to temporary files for a file input. */
export async function photoFiles(photos: readonly Photo[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return Promise.all(
    photos.map(async (each, at) => {
      const path = join(folder, `${at}-${each.hue}.jpg`)
      await writeFile(path, await photo(each))
      return path
    }),
  )
}

/** Returns the color of HUES that is closest to the average color of the image. */
async function hueOf(image: Buffer): Promise<Hue> {
  const { channels } = await sharp(image).stats()
  const far = (hue: string) =>
    [1, 3, 5].reduce(
      (sum, at, channel) =>
        sum + Math.abs(Number.parseInt(hue.slice(at, at + 2), 16) - channels[channel]!.mean),
      0,
    )
  return (Object.keys(HUES) as Hue[]).reduce((best, hue) =>
    far(HUES[hue]) < far(HUES[best]) ? hue : best,
  )
}
