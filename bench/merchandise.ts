/** The owner's list and form with 10,000 items beside 100: from asking for the page until a key pressed in the form does something. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '../app/platform/node-sqlite.server.ts'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../test/chromium.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const [FEW, MANY, ROUNDS] = [100, 10_000, 7]

export async function measureMerchandise({ folder, demoShop, say }: Bench): Promise<WorkFigure[]> {
  const browser = await launchChromium()
  try {
    say(`the merchandise list with ${FEW} and with ${MANY} items`)
    const few = await openFilled(join(folder, 'merchandise-few'), demoShop, FEW)
    const many = await openFilled(join(folder, 'merchandise-many'), demoShop, MANY)
    try {
      const [first, second] = [await enter(browser, few.origin), await enter(browser, many.origin)]
      const times: [number[], number[]] = [[], []]
      // One after the other, so that whatever else the machine does meets both.
      for (let round = 0; round <= ROUNDS; round++)
        for (const [at, person] of [first, second].entries()) {
          const time = await timeToAnswer(person)
          if (round > 0) times[at]!.push(time)
        }
      const [one, other] = [median(times[0]), median(times[1])]
      return [
        {
          what: `Merchandise with ${MANY.toLocaleString('en-US')} items, until a key answers`,
          found: `${Math.round(other)} ms`,
          beside: `${Math.round(one)} ms with ${FEW}`,
          ratio: (other / one).toFixed(2),
        },
      ]
    } finally {
      await few.stop()
      await many.stop()
    }
  } finally {
    await browser.close()
  }
}

const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!

/** The demo shop with so many items: each new one is a copy of one of its own, with the same pictures and colours. */
async function openFilled(dataDir: string, demoShop: string, count: number) {
  await cp(demoShop, dataDir, { recursive: true })
  const shop = await serveShop(dataDir)
  await shop.stop()
  const db = openSqlite(join(dataDir, 'shop.db'))
  db.exec(`create temp table originals as select *, row_number() over (order by id) - 1 as place from items;
    create temp table numbers as with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count} - (select count(*) from items)) select i from n;
    insert into items (id, name, categoryId, priceCents, description, width, soleType, size, discountType, discountValue, createdAt, firstCreatedAt)
      select 'copy' || i, name || ' ' || i, categoryId, priceCents, description, width, soleType, size, discountType, discountValue, createdAt - i, firstCreatedAt
      from numbers join originals on place = i % (select count(*) from originals);
    insert into itemPictures (id, itemId, pictureId, position, isAvailable)
      select 'copy' || i || ip.id, 'copy' || i, ip.pictureId, ip.position, ip.isAvailable
      from numbers join originals on place = i % (select count(*) from originals) join itemPictures ip on ip.itemId = originals.id;
    insert into itemPictureColors (itemPictureId, colorId)
      select 'copy' || i || ip.id, ipc.colorId
      from numbers join originals on place = i % (select count(*) from originals) join itemPictures ip on ip.itemId = originals.id
      join itemPictureColors ipc on ipc.itemPictureId = ip.id;`)
  const { total } = db.prepare('select count(*) as total from items').get() as { total: number }
  db.close()
  if (total !== count) throw new Error(`${total} items instead of ${count}`)
  return serveShop(dataDir)
}

type Person = { page: Awaited<ReturnType<Browser['newPage']>>; origin: string }

async function enter(browser: Browser, origin: string): Promise<Person> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${origin}/login/`)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page.waitForURL((address) => address.pathname === '/')
  return { page, origin }
}

/** Milliseconds of the page's own clock until its scripts answer what is pressed in the form. */
async function timeToAnswer({ page, origin }: Person): Promise<number> {
  await page.goto('about:blank')
  const answered = page.goto(`${origin}/manage/item/?open=1~wall-hangings`, { waitUntil: 'commit' }).then(() =>
    page.waitForFunction(
      () => {
        const field = document.querySelector('#item-name')
        return field !== null && Object.keys(field).some((key) => key.startsWith('__react')) ? performance.now() : false
      },
      undefined,
      { polling: 10 },
    ),
  )
  return (await (await answered).jsonValue()) as number
}
