/** How a press feels and how long a page inside takes, in real Chromium on a processor four times slower. */
import { cp } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { launchChromium } from '../test/chromium.ts'
import type { Area, Found } from './areas.ts'
import { median, whole } from './figures.ts'
import { pressGoal } from './goals.ts'
import { table } from './report.ts'
import { serveShop } from './served-shop.ts'
import type { Bench } from './workshop.ts'

const SLOWER = 4
const ROUNDS = 5
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, hasTouch: true, isMobile: true }

export const navigation: Area = { document: 'performance', measure }

type Act = {
  what: string
  from: string
  /** what is pressed, once `before` has been done */
  find: (page: Page) => Locator
  before?: (page: Page) => Promise<void>
  /** the page that follows has this title */
  heading?: string
}

const acts: Act[] = [
  { what: 'Home: another category of the ring', from: '/', find: (page) => page.getByRole('link', { name: 'Bags', exact: true }) },
  { what: 'The menu', from: '/', find: (page) => page.getByRole('button', { name: 'Menu' }) },
  {
    what: 'The other theme',
    from: '/',
    before: (page) => page.getByRole('button', { name: 'Menu' }).click(),
    find: (page) => page.locator('input[name=theme][type=checkbox]'),
  },
  {
    what: 'Home to the gallery',
    from: '/',
    heading: 'Everything',
    find: (page) => page.getByRole('link', { name: 'Look through the gallery' }),
  },
  {
    what: 'The gallery to a piece',
    from: '/gallery/',
    heading: 'Three',
    find: (page) => page.locator('a[href="/item/three-diamonds-wall-hanging"]').first(),
  },
  {
    what: 'A piece: another picture',
    from: '/item/three-diamonds-wall-hanging',
    find: (page) => page.getByRole('link', { name: /^Picture 2 of/ }),
  },
]

async function measure({ folder, demoShop, say }: Bench): Promise<Found> {
  const load = loadavg()[0]!
  const dataDir = join(folder, 'navigation')
  await cp(demoShop, dataDir, { recursive: true })
  const [shop, browser] = [await serveShop(dataDir), await launchChromium()]
  try {
    const rows = []
    const presses = []
    for (const { what, from, before, find, heading } of acts) {
      say(`navigation: ${what}`)
      const felt: number[] = []
      const arrived: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const context = await browser.newContext(phone)
        const page = await context.newPage()
        await page.addInitScript(watchPresses)
        await page.goto(shop.origin + from, { waitUntil: 'networkidle' })
        await page.mouse.move(5, 5)
        await page.waitForLoadState('networkidle')
        await before?.(page)
        const place = await placeOf(find(page))
        await page.evaluate(() => ((window as unknown as { presses: number[] }).presses.length = 0))
        await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
        const begun = await press(page, place)
        if (heading) {
          await page.getByRole('heading', { level: 1, name: heading }).waitFor()
          arrived.push(performance.now() - begun)
        }
        await page.waitForTimeout(1000)
        felt.push(await page.evaluate(() => Math.max(0, ...(window as unknown as { presses: number[] }).presses)))
        await context.close()
      }
      presses.push({ name: what, value: median(felt) })
      rows.push([what, median(felt) === 0 ? 'below 16' : whole(median(felt)), heading ? whole(median(arrived)) : '–'])
    }
    const text = `## Moving about inside

\`npm run bench -- --only navigation\`, ${new Date().toISOString().slice(0, 10)}, load of the machine before the run ${load.toFixed(1)}: Chromium with the screen of a phone on a processor
${SLOWER} times slower, the middle one of ${ROUNDS} rounds. INP: from the press to the next painted picture, in steps of 8 ms as browsers tell it. Arrived: from the
beginning of the press, which takes 60 ms after a rest of 80 on the link, to the next page's title. What the first sign of a person lets go is over before.

${table(['press', 'INP ms', 'arrived ms'], rows)}`
    return { text, checks: [pressGoal(presses)] }
  } finally {
    await browser.close()
    await shop.stop()
  }
}

/** Before the processor is slow: to look for it costs the page time. */
async function placeOf(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await target.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** As a hand on a mouse does it; gives when it was begun. */
async function press(page: Page, { x, y }: { x: number; y: number }): Promise<number> {
  await page.mouse.move(x, y)
  await page.waitForTimeout(80)
  const begun = performance.now()
  await page.mouse.down()
  await page.waitForTimeout(60)
  await page.mouse.up()
  return begun
}

function watchPresses() {
  const page = window as unknown as { presses: number[] }
  page.presses = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ((entry as unknown as { interactionId: number }).interactionId > 0) page.presses.push(entry.duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}
