import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hrefsIn, pageOf } from '#test/fixtures/html.ts'
import { OWNER, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { backupFileName } from './backup.ts'
import { backUp, readBackups } from './backups.server.ts'

const PAGE = '/manage/backups/'

test('the owner can make, check and delete a backup, and download it with her password [S-266] [S-267]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const empty = await owner.page(PAGE)
  expect(empty).toContain('There is no backup yet.')
  expect(empty).toContain('The next automatic backup is on March 05, 2026, 3:30 AM')
  const settings = pageOf(await owner.page('/manage/settings/'))
  expect(hrefsIn(settings)).toContain(PAGE)

  expect((await owner.post(PAGE, { intent: 'make' })).status).toBe(200)
  const [archive] = (await readBackups(shop.shop)).archives
  const page = await owner.page(PAGE)
  expect(page).toContain('Manual backup')
  expect(page).toContain('Download the backup of March 04, 2026, 12:00 PM')

  const checked = await owner.post(PAGE, { intent: 'check', name: archive!.name })
  expect(checked.status).toBe(200)
  expect(await checked.text()).toEqual(
    expect.stringMatching(
      /All is well: (the database and )?0 picture files, all checksums match\./,
    ),
  )

  const bytes = await readFile(join(shop.shop.backup.folder, archive!.name))
  const refused = await owner.post('/manage/backups/file', {
    name: archive!.name,
    password: 'not hers',
    back: PAGE,
  })
  expect(refused.status).toBe(303)
  expect(refused.headers.get('location')).toBe(PAGE)
  const file = await owner.post('/manage/backups/file', {
    name: archive!.name,
    password: OWNER.password,
  })
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${archive!.name}"`)
  expect(file.headers.get('cache-control')).toBe('no-store')
  expect(file.headers.get('content-length')).toBe(String(bytes.length))
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)

  expect((await owner.post(PAGE, { intent: 'delete', name: archive!.name })).status).toBe(400)
  expect((await readBackups(shop.shop)).archives).toHaveLength(1)
  expect(
    (await owner.post(PAGE, { intent: 'delete', name: archive!.name, confirm: 'Yes' })).status,
  ).toBe(200)
  expect((await readBackups(shop.shop)).archives).toEqual([])
  const history = (await owner.page('/manage/history/')).replaceAll('<!-- -->', '')
  for (const act of [
    'Made the backup of March 04, 2026, 12:00 PM',
    'Downloaded the backup of March 04, 2026, 12:00 PM',
    'Deleted the backup of March 04, 2026, 12:00 PM',
  ]) {
    expect(history).toContain(act)
  }
})

test('the "Backups" page shows how much space the backups use, and which backups are not deleted automatically [S-266]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const { folder } = shop.shop.backup
  await mkdir(folder)
  const put = (name: string, size: number) => writeFile(join(folder, name), 'x'.repeat(size))
  await put(backupFileName(1, 'nightly'), 2000)
  const readPage = async () => pageOf(await owner.page(PAGE))
  expect((await readPage()).getByText('1 backup, 2.0 kB together.')).toBeTruthy()
  await put(backupFileName(2, 'by-hand'), 500)
  await put(backupFileName(3, 'before-restore'), 500)
  expect(
    (await readPage()).getByText(
      '3 backups, 3.0 kB together. 2 of them (1.0 kB) stay until you delete them.',
    ),
  ).toBeTruthy()
  await owner.post(PAGE, { intent: 'delete', name: backupFileName(2, 'by-hand'), confirm: 'Yes' })
  expect(
    (await readPage()).getByText(
      '2 backups, 2.5 kB together. 1 of them (500 bytes) stays until you delete it.',
    ),
  ).toBeTruthy()
})

test('the "Backups" page reports a damaged backup, and refuses requests for files that are not backups [S-267]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await owner.post(PAGE, { intent: 'make' })
  const [archive] = (await readBackups(shop.shop)).archives
  const path = join(shop.shop.backup.folder, archive!.name)
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(0, bytes.length - 30))
  const checked = await owner.post(PAGE, { intent: 'check', name: archive!.name })
  expect(checked.status).toBe(422)
  expect(await checked.text()).toContain('is not a complete archive: its end is missing')
  await writeFile(join(shop.folder, 'outside.zip'), 'x')
  for (const name of [
    '',
    '../outside.zip',
    '..%2Foutside.zip',
    '../../etc/passwd',
    backupFileName(1, 'nightly'),
    'x'.repeat(5000),
  ]) {
    for (const intent of ['check', 'delete']) {
      expect((await owner.post(PAGE, { intent, name, confirm: 'Yes' })).status, name).toBe(404)
    }
    const file = await owner.post('/manage/backups/file.data', { name, password: OWNER.password })
    expect(file.status, name).toBe(404)
  }
  expect((await owner.post(PAGE, { intent: 'odd', name: archive!.name })).status).toBe(400)
  expect(await readFile(join(shop.folder, 'outside.zip'), 'utf8')).toBe('x')
})

test('the dashboard reports an unreadable backup folder until the folder can be read again [S-266, S-270, S-271]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const folder = shop.shop.backup.folder
  await writeFile(folder, 'a disk that is not there')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = await owner.page(PAGE)
  expect(page).toContain('The backup folder cannot be read.')
  expect(page).not.toContain('There is no backup yet.')
  expect(await owner.page('/manage/status/')).toContain('The backup folder cannot be read.')
  expect(await owner.page('/manage/')).toContain('Needs attention now: Backup.')
  expect((await owner.post(PAGE, { intent: 'make' })).status).toBe(503)
  expect(
    (await owner.post(PAGE, { intent: 'check', name: backupFileName(1, 'nightly') })).status,
  ).toBe(404)
  await rm(folder)
  expect((await owner.post(PAGE, { intent: 'make' })).status).toBe(200)
  expect(await owner.page('/manage/')).not.toContain('Needs attention now')
})

test('when the owner requests a backup while another backup is being made, the shop makes no second backup, and the page shows the progress [S-266]', async () => {
  const { shop, owner } = await openShopWithOwner()
  let go = () => {}
  const waiting = new Promise<void>((done) => (go = done))
  const slow = {
    ...shop.shop,
    storage: { ...shop.storage, list: () => waiting.then(() => shop.storage.list()) },
  }
  const first = backUp(slow, 'by-hand')
  const second = backUp(shop.shop, 'by-hand')
  expect((await readBackups(shop.shop)).isUnderWay).toBe(true)
  expect(await owner.page(PAGE)).toContain('A backup is being made.')
  go()
  expect(await second).toEqual(await first)
  expect((await readBackups(shop.shop)).archives).toHaveLength(1)
  expect(await owner.page(PAGE)).not.toContain('A backup is being made.')
})

test('a backup that the owner requests during the nightly backup is made in addition to the nightly backup [S-265]', async () => {
  const { shop } = await openShopWithOwner()
  const made = await Promise.all([
    backUp(shop.shop, 'nightly'),
    backUp(shop.shop, 'by-hand'),
    backUp(shop.shop, 'by-hand'),
  ])
  expect(made[1]).toEqual(made[2])
  const { archives, isUnderWay } = await readBackups(shop.shop)
  expect(archives.map(({ reason }) => reason).toSorted()).toEqual(['by-hand', 'nightly'])
  expect(isUnderWay).toBe(false)
})

test('the shop refuses to download a backup when the audit log cannot record the download [S-268]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await owner.post(PAGE, { intent: 'make' })
  const [archive] = (await readBackups(shop.shop)).archives
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await shop.db.schema.alterTable('audit').renameTo('gone').execute()
  const given = await owner.post('/manage/backups/file.data', {
    name: archive!.name,
    password: OWNER.password,
  })
  expect(given.status).toBe(500)
})
