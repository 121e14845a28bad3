import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { defaultSettings, saveSettings } from './settings.server.ts'

const { isPromoShown: _, ...texts } = defaultSettings

test('when the owner saves settings, the pages show them and the audit log records them [S-029]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  const saved = await owner.act('/manage/settings/', { ...texts, name: 'Rope & Joy', facebookHandle: '@rope' })

  expect(saved.text).toContain('Settings saved')
  expect(await shop.visitor().page('/contact/')).toMatch(/Rope &amp; Joy[\s\S]*@rope/)
  expect(shop.heard).toContain('settings')
  expect(
    (await shop.db.selectFrom('audit').select(['act', 'actor', 'detail']).execute()).map((act) => ({
      ...act,
      detail: Object.keys(JSON.parse(act.detail).after),
    })),
  ).toEqual([{ act: 'change-settings', actor: 'owner', detail: ['name', 'facebookHandle', 'isPromoShown'] }])
})

test('the title of every public page has the name of the shop [S-029]', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, { name: 'Rope and Joy' }, shop.now())
  for (const path of ['/', '/gallery/', '/item/none', '/about/', '/contact/', '/testimonials/', '/login/', '/writetestimonials/none']) {
    const title = /<title>([^<]*)</.exec(await (await shop.visitor().get(path)).text())?.[1]
    expect([path, title]).toEqual([path, expect.stringContaining('Rope and Joy')])
  }
})

test('an invalid setting is refused beside its field and keeps what was typed [S-029]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  const response = await owner.post('/manage/settings/', { ...texts, city: 'Knotville', facebookUrl: 'javascript:alert(1)' })
  const html = await response.text()

  expect(response.status).toBe(422)
  expect(html).toMatch(/id="facebookUrl-error"[^>]*>Please give the Facebook page as https/)
  expect(html).toContain('value="Knotville"')
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})
