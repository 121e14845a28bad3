/** The steps of whoever adds an item, and of whoever looks at it afterwards. */
import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE } from './people.ts'
import { hueOf } from './photos.ts'

export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
export const UPLOADS = '**/manage/item-picture'

/** The new item's form, the owner signed in, the page interactive. */
export async function openNewItem(browser: Browser, shop: ServedShop, viewport = PHONE) {
  const page = await openBrowser(browser, shop.url, { viewport })
  onTestFinished(() => page.context().close())
  // What goes out is counted where it goes out.
  await page.addInitScript(() => {
    const sent: number[] = []
    Object.assign(window, { sent })
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) sent.push((body.get('file') as File).size)
      send.call(this, body)
    }
  })
  await page.request.post('/login/', { form: { intent: 'login', ...OWNER }, headers: { origin: shop.url }, maxRedirects: 0 })
  await page.goto('/manage/item/')
  await page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
  return page
}
export const sentBytes = (page: Page) => page.evaluate(() => (window as unknown as { sent: number[] }).sent)
export const card = (page: Page, at: number) =>
  page.getByRole('list', { name: 'Order of images' }).getByRole('listitem', { name: `image ${at}`, exact: true })
export const cards = (page: Page) => page.getByRole('list', { name: 'Order of images' }).getByRole('listitem')
export const choose = (page: Page, files: string[]) => page.getByLabel('Choose images').setInputFiles(files)
export const uploaded = (page: Page) => page.getByText('Uploaded', { exact: true })

export async function fillIn(page: Page, name: string) {
  await page.getByLabel('Name *').fill(name)
  await page.getByLabel('Price *').fill('48')
  await page.getByLabel('Description *').fill('Four cords, one ring.')
}
export const chooseCategory = (page: Page) => page.getByLabel('Category *').selectOption({ label: 'Coasters' })
export const add = (page: Page) => page.getByRole('button', { name: 'Add Item' }).click()

/** The pictures of an item as a visitor gets them, in their order. */
export async function openAsVisitor(browser: Browser, shop: ServedShop, name: string) {
  const visitor = await openBrowser(browser, shop.url)
  onTestFinished(() => visitor.context().close())
  await visitor.goto('/gallery/coasters')
  await visitor.getByRole('link', { name }).first().click()
  await visitor.getByRole('heading', { level: 1, name }).waitFor()
  const images = await visitor.locator('figure ul img').all()
  const files = await Promise.all(images.map(async (image) => (await visitor.request.get((await image.getAttribute('src'))!)).body()))
  return { visitor, files, hues: await Promise.all(files.map(hueOf)) }
}

/** What the browser keeps has reached its disk: asked of the browser's database itself. */
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
export const kept = (page: Page, text: string) => soon(() => drafts(page)).toContain(text)
/** A draft's pictures and their files are written at once, and apart from its texts. */
export const keptFile = (page: Page) => kept(page, '"file":null')
export const nothingKept = (page: Page) => soon(() => drafts(page)).toBe('[]')
