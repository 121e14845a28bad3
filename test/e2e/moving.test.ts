// Move a shop from a Firestore export: one command into an empty data folder, then everybody finds everything, on a phone.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOSTED_OWNER, HOSTED_SHOP, writeHostedBucket } from '../hosted-bucket.ts'
import { newFolder } from '../moving-shops.ts'
import { runCommand } from '../run-command.ts'
import { OWNER } from './open-served-shop.ts'
import { openBrowser, PHONE, signIn } from './people.ts'
import { shopAndBrowser } from './shop-and-browser.ts'

const here = shopAndBrowser()

/** The Sales screen shows the current year: the sales of the export were made today. */
async function exportOfToday(folder: string): Promise<string> {
  const hosted = JSON.parse(await readFile(HOSTED_SHOP, 'utf8'))
  for (const sale of Object.values<{ createdAt: object }>(hosted.__collections__.sales))
    sale.createdAt = { _seconds: Math.floor(Date.now() / 1000), _nanoseconds: 0 }
  const path = join(folder, 'our-shop.json')
  await writeFile(path, JSON.stringify(hosted))
  return path
}

test('S-134 DATA-001 move a shop from a Firestore export: one command, then visitor and owner find everything', async () => {
  const folder = await newFolder()
  const [path, bucket] = [await exportOfToday(folder), await writeHostedBucket(join(folder, 'bucket'))]
  const command = () => runCommand('import', [path, '--files', bucket, '--admin-id', HOSTED_OWNER], { DATA_DIR: here.shop.dataDir })
  const tooEarly = await command()
  expect([tooEarly.code, tooEarly.printed]).toEqual([1, expect.stringContaining('Stop it first')])
  await here.shop.kill()
  const moved = await command()
  expect(moved.code, moved.printed).toBe(0)
  expect(moved.printed).toContain('orders           3 found: 3 taken')
  await here.shop.start()

  const visitor = await openBrowser(here.browser, here.shop.url, { viewport: PHONE })
  await visitor.goto('/gallery/walls/')
  const card = visitor.getByRole('article').filter({ hasText: 'Moon Wall Hanging' })
  // Its picture has come along and is really shown.
  await visitor.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('article img')].some((image) => image.complete && image.naturalWidth > 0),
  )
  await card.getByRole('link', { name: 'Moon Wall Hanging' }).click()
  await visitor.getByRole('heading', { level: 1, name: 'Moon Wall Hanging' }).waitFor()
  await visitor.getByText('A moon of <b>knots</b> & love.').waitFor()
  await visitor.getByText('$43.65').first().waitFor()
  await visitor.getByText('Deep Teal').first().waitFor()
  await visitor.goto('/item/item-bare/')
  await visitor.getByRole('heading', { level: 1, name: 'Bare Coaster' }).waitFor()
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await visitor.goto('/')
  await visitor.getByText('Natural Cream').first().waitFor()
  await visitor.goto('/testimonials/')
  await visitor.getByText('It glows above our bed.').first().waitFor()

  const owner = await openBrowser(here.browser, here.shop.url, { viewport: PHONE })
  await signIn(owner, OWNER)
  await owner.goto('/manage/messages/')
  await owner.getByRole('link', { name: /Anna Weaver/ }).click()
  await owner.getByText('Of course! It will take a week.').waitFor()
  await owner.getByRole('log').getByText('Wonderful, thank you <3').waitFor()
  await owner.goto('/manage/sales/')
  await owner.getByText('Old Owl').waitFor()
  await owner.getByText('Walk In').waitFor()
  await owner.goto('/manage/moved/')
  await owner.getByRole('heading', { name: /our-shop\.json/ }).waitFor()
  await owner.getByText(/findings, one by one/).click()
  await owner.getByText('items/item-negative/price: -5 is no price').waitFor()
  expect(await owner.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect([...visitor.errors, ...owner.errors]).toEqual([])
})
