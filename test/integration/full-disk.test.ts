import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { profileTexts } from '#account/texts.ts'
import { messageImageTexts } from '#messaging/texts.ts'
import { createDiskStorage } from '#lib/storage/storage.server.ts'
import { listOrphanedImages } from '#images/edit-images.server.ts'
import { expectNothingLeft, fileOf, post, upload } from '#test/fixtures/chat.ts'
import { formOf } from '#test/fixtures/html.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { storedPaths } from '#test/fixtures/images.ts'
import { openShopWithAnn, openTestShop } from '#test/fixtures/test-shop.ts'

/**
 * Writes 400 kB to a mounted disk of 256 kB, or to /dev/full if this process may not mount a disk.
 */
async function writeToFullDisk(): Promise<void> {
  const folder = await newFolder()
  const bytes = randomBytes(400_000)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status !== 0) {
    return writeFile('/dev/full', bytes)
  }
  const files = createDiskStorage(join(folder, 'files'))
  try {
    await files.put('items/half.jpg', bytes)
  } finally {
    expect((await files.list()).length).toBe(0)
    spawnSync('umount', ['-l', folder])
  }
}

test('on a full disk, an image has all variants or only the original, and gets all variants once there is space', async () => {
  const shop = await openTestShop()
  const { put } = shop.storage
  let room = 0
  shop.storage.put = (path, bytes) => (room-- > 0 ? put(path, bytes) : writeToFullDisk())
  const jpeg = await sharp({ create: { width: 500, height: 400, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  await expect(shop.images.prepare('colors', jpeg)).rejects.toThrow('ENOSPC')
  expect(await storedPaths(shop)).toEqual([])
  room = 1
  const taken = await shop.images.prepare('colors', jpeg)
  if (!taken.ok) throw new Error(taken.refusal)
  await shop.images.keep(shop.db, taken.image)
  // The shop makes eight more files of the image: four widths in two formats.
  for (let enough = 0; enough <= 8; enough++) {
    room = enough
    await shop.images.finish()
    expect(await storedPaths(shop), `room for ${enough}`).toHaveLength(enough < 8 ? 1 : 9)
    expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
    await shop.db.updateTable('images').set({ attempts: 0, nextAttemptAt: 0 }).execute()
  }
  expect((await shop.db.selectFrom('images').select('state').executeTakeFirstOrThrow()).state).toBe(
    'finished',
  )
})

test('while the disk is almost full, only the owner can upload pictures, so that the shop can still store orders [S-421]', async () => {
  const { shop, ann } = await openShopWithAnn()
  expect(await shop.storage.freeBytes!()).toBeGreaterThan(0)
  shop.storage.freeBytes = async () => 999_999_999
  expect(await post(ann, fileOf())).toMatchObject({ status: 422, text: messageImageTexts.noSpace })
  const photo = await ann.act('/account/photo', formOf({ file: fileOf() }))
  expect(photo.status).toBe(422)
  expect(photo.text).toEqual(expect.stringContaining(profileTexts.noSpace))
  await expectNothingLeft(shop)
  await upload(await shop.owner())
})
