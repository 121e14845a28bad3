import { expect, test } from 'vitest'
import { wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { availabilityTexts } from './availability.ts'

test('the page of a one-of-a-kind piece says that it is one of a kind, and what a request means during a hold [AGREE-92]', async () => {
  const { db, ann, customer, visitor, owner, services } = await openShopWithOffers()
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'moon').execute()
  services.live.changed('catalog')
  const forAnn = (form: Record<string, string>) =>
    owner.act(`/manage/messages/${ann.id}`, { itemId: 'moon', ...form })
  const read = async (who: Pick<typeof ann, 'page'>, path = '/item/moon') => {
    const words = wordsOf(await who.page(path))
    return [availabilityTexts.oneOfAKind, availabilityTexts.canStillAsk].map((text) =>
      words.includes(text),
    )
  }
  expect(await read(visitor())).toEqual([true, false])
  for (const path of ['/item/sun', '/gallery/']) {
    expect(await read(visitor(), path)).toEqual([false, false])
  }
  await forAnn({ intent: 'hold', until: '2026-03-06' })
  for (const who of [await customer('bea@mail.test'), visitor()]) {
    expect(await read(who)).toEqual([true, true])
  }
  expect(await read(ann)).toEqual([true, false])
  await forAnn({ intent: 'complete', price: '80', otherPrice: 'on' })
  expect(await read(visitor())).toEqual([false, false])
})

test('a one-of-a-kind piece has no lead time, because it exists already [AGREE-97]', async () => {
  const { db, visitor, services } = await openShopWithOffers()
  await saveSettings(db, { leadTime: 'Made in 2 weeks', shipsFrom: 'Lisbon' }, services.now())
  await db.updateTable('items').set({ kind: 'unique' }).where('id', '=', 'moon').execute()
  services.live.changed('catalog', 'settings')
  expect(wordsOf(await visitor().page('/item/sun'))).toContain(
    'Made in 2 weeks · Ships from Lisbon',
  )
  const words = wordsOf(await visitor().page('/item/moon'))
  expect(words).toContain('Ships from Lisbon')
  expect(words).not.toContain('Made in 2 weeks')
})
