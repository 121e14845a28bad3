/** Pictures in a conversation, from a phone to a desk and back. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { noise } from '../drawn-pictures.ts'
import { box, bubble, log, openAsOwner, send, signedIn } from './chat.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE, signInOnScreen } from './people.ts'

let shop: ServedShop
let browser: Browser
let photo: { name: string; mimeType: string; buffer: Buffer }
beforeAll(async () => {
  shop = await openServedShop()
  browser = await launchChromium()
  photo = { name: 'moon.jpg', mimeType: 'image/jpeg', buffer: await noise(1200, 900).jpeg().toBuffer() }
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

const customer = (email: string) => signedIn(browser, shop, { intent: 'register', email, password: 'a-good-password' }, PHONE)
const owner = () => signedIn(browser, shop, { intent: 'login', ...OWNER })
// Several only once the script is there.
const choose = (page: Page, ...files: (typeof photo)[]) => page.locator('input[name=files][multiple]').setInputFiles(files)
const toSend = (page: Page) => page.getByRole('list', { name: 'Pictures to send' }).getByRole('listitem')
const PATIENCE = { timeout: 30_000 }
/** Shown, and really there: the shop has given the picture to this browser. */
const expectShown = (page: Page, name: string) =>
  expect
    .poll(
      () =>
        log(page)
          .getByRole('img', { name })
          .last()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      PATIENCE,
    )
    .toBeGreaterThan(0)

test('S-173 a picture is sent at once, what is written after it waits for it, and the other side sees both and looks closer', async () => {
  const ann = await customer('ann@mail.test')
  await ann.goto('/?messages=')
  let release = () => {}
  const held = new Promise<void>((go) => (release = go))
  await ann.route('**/messages/pictures', async (route) => {
    await held
    await route.continue()
  })
  await choose(ann, photo, photo)
  await expect.poll(() => toSend(ann).count()).toBe(2)
  await box(ann).fill('Like these?')
  await ann.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => toSend(ann).count(), PATIENCE).toBe(0)
  await box(ann).fill('In cream?')
  await ann.getByRole('button', { name: 'Send' }).click()
  await bubble(ann, 'Like these?').getByRole('progressbar', { name: 'Upload of picture 2' }).waitFor()
  await bubble(ann, 'In cream?').getByText('Sending…').waitFor()
  release()
  await expectShown(ann, 'Picture 2 of 2 from you')

  const desk = await owner()
  await openAsOwner(desk, 'ann')
  await bubble(desk, 'In cream?').waitFor()
  await expectShown(desk, 'Picture 1 of 2 from ann')
  const texts = await log(desk).locator('[data-sender=other]').allInnerTexts()
  expect(texts.map((text) => /Like these|In cream/.exec(text)?.[0])).toEqual(['Like these', 'In cream'])

  // On the phone: over the panel, and back to it.
  const second = ann.getByRole('link', { name: 'Picture 2 of 2 from you' })
  await second.click()
  const closer = ann.getByRole('dialog', { name: 'Pictures of the message of you' })
  await closer.getByText('2 of 2').waitFor()
  // Not that of her own messages, which would be white on white.
  const colourOf = (element: Element) => getComputedStyle(element).color
  expect(await closer.evaluate(colourOf)).toBe(await ann.locator('body').evaluate(colourOf))
  await ann.keyboard.press('Escape')
  await ann.getByRole('dialog').waitFor({ state: 'detached' })
  await ann.getByRole('heading', { name: 'Messages' }).waitFor()
  expect(ann.url()).toContain('messages')
})

test('S-173 the owner pastes and drops pictures; one is taken out, one that fails is tried again', async () => {
  const bea = await customer('bea@mail.test')
  await bea.goto('/?messages=')
  await send(bea, 'May I see it?')
  await bubble(bea, 'May I see it?').getByText('Sending…').waitFor({ state: 'detached' })
  const desk = await owner()
  await openAsOwner(desk, 'bea')
  let isFailing = true
  await desk.route('**/messages/pictures', (route) =>
    isFailing ? route.fulfill({ status: 500, json: { state: 'error', text: 'This picture could not be sent.' } }) : route.continue(),
  )
  const give = (kind: 'paste' | 'drop') =>
    log(desk).evaluate(
      (target, [kind, bytes]) => {
        const given = new DataTransfer()
        given.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], 'moon.jpg', { type: 'image/jpeg' }))
        const how = { bubbles: true, cancelable: true }
        target.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent(kind, { ...how, clipboardData: given })
            : new DragEvent(kind, { ...how, dataTransfer: given }),
        )
      },
      [kind, photo.buffer.toString('base64')] as const,
    )
  await give('paste')
  await give('drop')
  await toSend(desk).getByText('This picture could not be sent.').nth(1).waitFor()
  await desk.getByRole('button', { name: 'Remove picture 2' }).click()
  await desk.getByRole('button', { name: 'Send' }).click()
  await desk.getByText('A picture could not be sent. Try it again or remove it.').waitFor()
  isFailing = false
  await desk.getByRole('button', { name: 'Retry upload of picture 1' }).click()
  await toSend(desk).getByRole('progressbar').waitFor({ state: 'detached' })
  await desk.getByRole('button', { name: 'Send' }).click()
  await expectShown(desk, 'Picture from you')
  await expect.poll(() => toSend(desk).count()).toBe(0)
  await expect.poll(() => log(bea).getByRole('img', { name: 'Picture from' }).count(), PATIENCE).toBe(1)
})

test('S-173 without script the form takes a picture', async () => {
  const cleo = await openBrowser(browser, shop.url, { viewport: PHONE, javaScriptEnabled: false })
  await signInOnScreen(cleo, { email: 'cleo@mail.test', password: 'a-good-password' }, 'Register')
  await cleo.goto('/?messages=')
  await cleo.getByLabel('Picture', { exact: true }).setInputFiles(photo)
  await cleo.getByLabel('Message', { exact: true }).fill('This one')
  await cleo.getByRole('button', { name: 'Send' }).click()
  await bubble(cleo, 'This one').getByRole('img', { name: 'Picture from you' }).waitFor()
  await expectShown(cleo, 'Picture from you')
})
