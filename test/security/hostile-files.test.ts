/**
 * Uploads images with hidden content, requests invalid file URLs, and tests that other system
 * users cannot read the shop's files.
 */
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listOrphanedImages } from '#images/edit-images.server.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { addUpload, png } from '#test/fixtures/fuzz.ts'
import { formOf } from '#test/fixtures/html.ts'
import { corners } from '#test/fixtures/images.ts'
import {
  openTestShop,
  ORIGIN,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'

const SCRIPT = '<script>alert(1)</script><?php echo 1 ?>'
const ZIP = `PK\u0003\u0004${SCRIPT}`
const drawn = sharp({ create: { width: 300, height: 260, channels: 3, background: '#864' } })
const behind = (image: Uint8Array, text: string) => Buffer.concat([image, Buffer.from(text)])
const fileOf = (bytes: Uint8Array | string, name: string, type = 'image/svg+xml') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

const exif = {
  IFD0: { ImageDescription: SCRIPT, Copyright: SCRIPT, Artist: 'Ann of Elm Road' },
  IFD3: { GPSLatitude: '48/1 12/1 30/1' },
}
const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><script>alert(1)</script></x:xmpmeta>'

test.each([
  [
    'JPEG with EXIF, XMP and HTML',
    await drawn.clone().withExif(exif).withXmp(xmp).jpeg().toBuffer(),
  ],
  ['GIF with HTML', await drawn.clone().gif().toBuffer()],
  ['PNG with HTML', await drawn.clone().png().toBuffer()],
])(
  'the shop stores only the pixels of a photo, and no hidden text, location, program or file name (%s) [LOGIN-17, S-218]',
  async (_kind, photo) => {
    const { shop, ann } = await openShopWithAnn()
    const file = fileOf(behind(photo, `<html>${ZIP} Elm Road`), `../../${SCRIPT}\r\nX: y.svg`)
    expect((await ann.act('/account/photo', formOf({ file }))).status).toBe(200)
    const { image } = await shop.db
      .selectFrom('user')
      .select('image')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    expect(image).toMatch(/^\/pictures\/people\/[A-Za-z0-9]{22}\.240\.webp$/)
    const files = (
      await readdir(join(shop.folder, 'files'), { recursive: true, withFileTypes: true })
    ).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(1)
    for (const { parentPath, name } of files) {
      const bytes = await readFile(join(parentPath, name), 'latin1')
      expect(/Elm|script|xmpmeta|GPS|Exif/.exec(bytes)?.[0], name).toBe(undefined)
    }
    const { headers } = await shop.visitor().get(image!)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  },
)

test('the shop stores an uploaded image under a new name, and without programs that are hidden in the file [FILES-01]', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  const owner = await shop.owner()
  const send = (file: File) =>
    owner.post('/manage/item-picture', formOf({ categoryId: 'walls', file }))
  const polyglots = [
    await corners(64, 64).withExif(exif).jpeg().toBuffer(),
    behind(await corners(64, 64).gif().toBuffer(), ZIP),
    behind(png, SCRIPT),
  ]
  const names = [
    '../../../etc/passwd.png',
    'a\u0000.php.png',
    '<img src=x>.svg',
    'CON',
    '.htaccess',
    'x.html',
    '\u202egnp.exe',
  ]
  for (const [at, name] of [...names, `${'n'.repeat(10_240)}.png`].entries()) {
    const response = await send(fileOf(polyglots[at % 3]!, name))
    expect(response.status, name.slice(0, 30)).toBe(200)
    const { url } = (await response.json()) as { url: string }
    expect(url).toMatch(/^\/pictures\/items\/walls\/\w{16}\.(jpg|gif|png)$/)
    const shown = await shop.visitor().get(url)
    expect(shown.headers.get('content-type')).toMatch(/^image\/(jpeg|gif|png)$/)
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await shown.arrayBuffer()).includes('script>')).toBe(false)
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
  for (const [name, text] of Object.entries({
    svg,
    html: `<!--\xff\xd8\xff-->${SCRIPT}`,
    js: `GIF89a=1;${SCRIPT}`,
  })) {
    expect((await send(fileOf(text, `${name}.png`, 'image/png'))).status, name).toBe(422)
  }
  await shop.images.finish()
  expect((await listOrphanedImages(shop)).files).toEqual([])
})

test('an uploaded image can be deleted by its URL only while no record uses the image [FILES-06]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await addItem(shop.db, 'real', await addCategory(shop.db, 'walls'), { images: [] })
  const used = await addUpload(shop)
  const image = {
    id: 'real-0',
    itemId: 'real',
    imageId: used.id,
    position: 0,
    isAvailable: true,
  } as const
  await shop.db.insertInto('itemImages').values(image).execute()
  const [color, face] = [await addUpload(shop, 'colors'), await addUpload(shop, 'people')]
  await shop.storage.put('notes.txt', png)
  const state = async () => [
    await shop.db.selectFrom('images').select(['id', 'path']).orderBy('id').execute(),
    await shop.db.selectFrom('itemImages').selectAll().execute(),
    (await shop.storage.list()).length,
  ]
  const before = await state()
  const remove = async (url: string) =>
    (await owner.post('/manage/item-picture', { intent: 'delete', url })).status
  const paths = [
    used.path,
    color.path,
    face.path,
    'notes.txt',
    '../shop.db',
    'items/../notes.txt',
    'items/%',
    'items/',
    '',
    '\\',
  ]
  for (const path of [...paths, 'a'.repeat(100_000)]) {
    for (const url of [
      path,
      `/pictures/${path}`,
      `${ORIGIN}/pictures/${path}`,
      `/pictures//pictures/${path}`,
    ]) {
      expect(await remove(url), url.slice(0, 60)).toBe(422)
    }
  }
  expect(await state()).toEqual(before)

  const free = await addUpload(shop)
  const statuses = await Promise.all(
    Array.from({ length: 6 }, () => remove(`/pictures/${free.path}`)),
  )
  expect(statuses.sort()).toEqual([200, 422, 422, 422, 422, 422])
  expect(await shop.storage.read(free.path)).toBeNull()
})

test('no other system user can read the database, even in a folder that other users may enter', async () => {
  const folder = await newFolder()
  await chmod(folder, 0o755)
  const { db, close } = openSqliteDatabase(folder)
  await db.schema.createTable('some').addColumn('id', 'text').execute()
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  expect(names.map(({ name }) => name)).toContain('shop.db-wal')
  for (const { parentPath, name } of names) {
    expect((await stat(join(parentPath, name))).mode & 0o077, name).toBe(0)
  }
  await close()
})

test('no other system user can read emails that the shop stores as files', async () => {
  const shop = await openTestShop()
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  await shop.visitor().post('/contact', {
    name: 'A',
    email: 'a@mail.test',
    phone: '1234567890',
    message: 'hello',
    stamp,
  })
  const outbox = join(shop.folder, 'outbox')
  const [email] = await readdir(outbox)
  for (const path of [outbox, join(outbox, email!)]) expect((await stat(path)).mode & 0o077).toBe(0)
})
