import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf, openOther } from '#test/archives.ts'
import { readFolder } from '#test/moving-shops.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { openArchive } from './read-archive.server.ts'
import { finishFiles, prepareFiles, RESTORED, settleRestore } from './restoring.server.ts'

/** An archive with three pictures, and another shop that has one of them, one with other bytes, and one of its own. */
async function twoShops() {
  const shop = await openTestShop()
  for (const name of ['new', 'same', 'other']) await shop.files.put(`items/${name}.webp`, Buffer.from(name))
  await mkdir(shop.shop.backup.secrets)
  await writeFile(join(shop.shop.backup.secrets, 'session'), 'the key of the archive')
  const other = await openOther('sqlite')
  for (const [name, text] of [
    ['same', 'same'],
    ['other', 'as it is here'],
    ['own', 'own'],
  ])
    await other.files.put(`items/${name}.webp`, Buffer.from(text!))
  await mkdir(join(other.dataDir, 'secrets'))
  await writeFile(join(other.dataDir, 'secrets', 'session'), 'the key of here')
  const archive = await openArchive(await archiveOf(shop))
  const state = async () => ({ ...(await readFolder(join(other.dataDir, 'files'))), ...(await readFolder(join(other.dataDir, 'secrets'))) })
  return {
    archive,
    other,
    state,
    wanted: { 'items/new.webp': 'new', 'items/other.webp': 'other', 'items/same.webp': 'same', session: 'the key of the archive' },
  }
}

test('S-268 a restore that ended before its rows came is undone at the next start: no picture of it stays, none of here is lost', async () => {
  const { archive, other, state } = await twoShops()
  const before = await state()
  await prepareFiles(other, archive, 'one')
  archive.close()
  expect(await state()).not.toEqual(before)
  expect(await settleRestore(other.db, other)).toBe('undone')
  expect(await state()).toEqual(before)
  expect([await settleRestore(other.db, other), existsSync(join(other.dataDir, 'restoring'))]).toEqual([null, false])
})

test('S-268 one that ended after them is finished, however often it is broken off there', async () => {
  const { archive, other, state, wanted } = await twoShops()
  const plan = await prepareFiles(other, archive, 'two')
  archive.close()
  await other.db.insertInto('audit').values({ at: 1, actor: 'x', act: RESTORED, subject: 'two', detail: '{}' }).execute()
  const failing = { ...other, files: { ...other.files, delete: () => Promise.reject(new Error('EIO')) } }
  await expect(finishFiles(failing, plan)).rejects.toThrow('EIO')
  expect(await settleRestore(other.db, other)).toBe('finished')
  expect(await state()).toEqual(wanted)
  expect(existsSync(join(other.dataDir, 'restoring'))).toBe(false)
})

test('S-268 what was only laid aside goes without a word', async () => {
  const { archive, other, state } = await twoShops()
  archive.close()
  const before = await state()
  await mkdir(join(other.dataDir, 'restoring', 'files'), { recursive: true })
  await writeFile(join(other.dataDir, 'restoring', 'plan.json.part'), '{"id":')
  expect(await settleRestore(other.db, other)).toBeNull()
  expect([await state(), existsSync(join(other.dataDir, 'restoring'))]).toEqual([before, false])
})
