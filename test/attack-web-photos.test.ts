/** Photos of people: addresses that lie elsewhere, and files that are more than a picture. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openTestShop } from './open-test-shop.ts'
import { openShopWithOrder } from './shop-with-order.ts'

const HOSTILE = '<script>alert(1)</script>'

test('S-009 S-218 a photo that lies elsewhere, or whose address is none, is shown to nobody: not to the owner, not on the page of testimonies', async () => {
  const { shop, ann, owner, act } = await openShopWithOrder()
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  const row = {
    id: 'ticket',
    writerId: ann.id,
    writerName: 'Ann',
    writerEmail: 'ann@mail.test',
    testimony: 'Soft',
    isAvailable: 0,
  } as const
  await shop.db
    .insertInto('testimonies')
    .values({ ...row, isValidated: 1, showOnPage: 1, createdAt: shop.now(), writerPhotoURL: '', receiptTag: '', writtenAt: 1 })
    .execute()
  const foreign = [
    'https://evil.test/a.png',
    'http://evil.test/a.png',
    '//evil.test/a.png',
    '/\\evil.test/a.png',
    '/\t/evil.test/a.png',
    'data:image/svg+xml,<svg onload=alert(1)>',
  ]
  for (const photo of foreign) {
    await shop.db.updateTable('user').set({ image: photo }).where('id', '=', ann.id).execute()
    await shop.db.updateTable('orders').set({ userPhotoURL: photo }).execute()
    await shop.db.updateTable('sales').set({ buyerPhotoURL: photo }).execute()
    await shop.db.updateTable('testimonies').set({ writerPhotoURL: photo }).execute()
    const seen = [
      ...(await Promise.all(['/manage/messages', `/manage/messages/${ann.id}`, '/manage/sales', '/manage/testimonials'].map(owner.page))),
      ...(await Promise.all(['/testimonials/', '/writetestimonials/ticket'].map(shop.visitor().page))),
      ...(await Promise.all(['/', '/account/', '/?messages'].map(ann.page))),
    ]
    for (const html of seen) expect([photo, html.match(/(src|srcSet|href)="[^"]*(evil|data:)[^"]*"/i)?.[0] ?? null]).toEqual([photo, null])
  }
})

test('LOGIN-17 S-218 of a photo nothing is kept but what is seen: no words, no place, no program behind it, no name of a file', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const drawn = sharp({ create: { width: 300, height: 260, channels: 3, background: '#864' } })
  const GPS = { IFD0: { ImageDescription: HOSTILE, Artist: 'Ann of Elm Road' }, IFD3: { GPSLatitude: '48/1 12/1 30/1' } }
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><script>alert(1)</script></x:xmpmeta>'
  const whole = await drawn.clone().withExif(GPS).withXmp(xmp).jpeg().toBuffer()
  const html = Buffer.from(`<html><script>alert(1)</script>PK\u0003\u0004 Elm Road`)
  const gif = await drawn.clone().gif().toBuffer()
  for (const bytes of [
    Buffer.concat([whole, html]),
    Buffer.concat([gif, html]),
    Buffer.concat([await drawn.clone().png().toBuffer(), html]),
  ]) {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(bytes)], `../../${HOSTILE}\r\nX: y.svg`, { type: 'image/svg+xml' }))
    expect((await ann.act('/account/photo', form)).status).toBe(200)
    const { image } = await shop.db.selectFrom('user').select('image').where('id', '=', ann.id).executeTakeFirstOrThrow()
    expect(image).toMatch(/^\/pictures\/people\/[A-Za-z0-9]{22}\.240\.webp$/)
    const names = (await readdir(join(shop.folder, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    expect(names.length).toBeGreaterThan(1)
    for (const { parentPath, name } of names) {
      const kept = await readFile(join(parentPath, name))
      expect([name, /Elm|script|xmpmeta|GPS|Exif/.exec(kept.toString('latin1'))?.[0] ?? null]).toEqual([name, null])
    }
    const shown = await shop.visitor().get(image!)
    expect([shown.headers.get('content-type'), shown.headers.get('x-content-type-options')]).toEqual(['image/webp', 'nosniff'])
  }
})
