import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openLog } from '#app/platform/log.server.ts'
import { openTestShop, OWNER } from '#test/open-test-shop.ts'
import { backupFileName, roomText } from './backup.ts'
import { backUp, readBackups } from './backups.server.ts'

const PAGE = '/manage/backups/'

test('S-266 S-267 the owner makes a backup by one button, has it read through, downloads it after her password, and deletes it', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const empty = await owner.page(PAGE)
  expect(empty).toContain('There is no backup yet.')
  expect(empty).toContain('The next one is made by itself on March 05, 2026, 3:30 AM')
  expect(await owner.page('/manage/settings/')).toContain('href="/manage/backups/"')

  expect((await owner.post(PAGE, { intent: 'make' })).status).toBe(200)
  const [archive] = (await readBackups(shop.shop)).archives
  const page = await owner.page(PAGE)
  expect(page).toContain('Made by hand')
  expect(page).toContain('Download the backup of March 04, 2026, 12:00 PM')

  const checked = await owner.post(PAGE, { intent: 'check', name: archive!.name })
  expect([checked.status, await checked.text()]).toEqual([
    200,
    expect.stringMatching(/All is well: (the database and )?0 picture files, every checksum is right\./),
  ])

  const bytes = await readFile(join(shop.shop.backup.folder, archive!.name))
  const refused = await owner.post('/manage/backups/file', { name: archive!.name, password: 'not hers', back: PAGE })
  expect([refused.status, refused.headers.get('location')]).toEqual([303, PAGE])
  const file = await owner.post('/manage/backups/file', { name: archive!.name, password: OWNER.password })
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${archive!.name}"`)
  expect(file.headers.get('cache-control')).toBe('no-store')
  expect(file.headers.get('content-length')).toBe(String(bytes.length))
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)

  expect((await owner.post(PAGE, { intent: 'delete', name: archive!.name })).status).toBe(400)
  expect((await readBackups(shop.shop)).archives).toHaveLength(1)
  expect((await owner.post(PAGE, { intent: 'delete', name: archive!.name, confirm: 'Yes' })).status).toBe(200)
  expect((await readBackups(shop.shop)).archives).toEqual([])
  const history = (await owner.page('/manage/history/')).replaceAll('<!-- -->', '')
  for (const act of [
    'Made the backup of March 04, 2026, 12:00 PM',
    'Downloaded the backup of March 04, 2026, 12:00 PM',
    'Deleted the backup of March 04, 2026, 12:00 PM',
  ])
    expect(history).toContain(act)
})

test('S-266 backups of one minute are told apart in every name; others stay short', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const noon = Date.parse('2026-03-04T12:00:05.120Z')
  await owner.post(PAGE, { intent: 'make' })
  const [made] = (await readBackups(shop.shop)).archives
  for (const at of [noon, noon + 20_000, noon + 3_600_000])
    await writeFile(join(shop.shop.backup.folder, backupFileName(at, 'by-hand')), 'x')
  await rm(join(shop.shop.backup.folder, made!.name))
  const page = await owner.page(PAGE)
  for (const act of ['Download', 'Check', 'Delete'])
    expect([...page.matchAll(new RegExp(`aria-label="${act} the backup of ([^"]+)"`, 'g'))].map(([, moment]) => moment)).toEqual([
      'March 04, 2026, 1:00 PM',
      'March 04, 2026, 12:00:25 PM',
      'March 04, 2026, 12:00:05 PM',
    ])
})

test('S-266 how much room they take, which of them she alone takes away', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const { folder } = shop.shop.backup
  await mkdir(folder)
  const put = (name: string, size: number) => writeFile(join(folder, name), 'x'.repeat(size))
  await put(backupFileName(1, 'nightly'), 2000)
  expect(await owner.page(PAGE)).toContain('>1 backup, 2.0 kB together.<')
  await put(backupFileName(2, 'by-hand'), 500)
  await put(backupFileName(3, 'before-restore'), 500)
  expect(await owner.page(PAGE)).toContain('>3 backups, 3.0 kB together. 2 of them (1.0 kB) stay until you delete them.<')
  await owner.post(PAGE, { intent: 'delete', name: backupFileName(2, 'by-hand'), confirm: 'Yes' })
  expect(await owner.page(PAGE)).toContain('>2 backups, 2.5 kB together. 1 of them (500 bytes) stays until you delete it.<')
  const [one, two] = [{ size: 1000 }, { size: 500 }]
  expect(roomText([one], [one])).toBe('1 backup, 1.0 kB together. It stays until you delete it.')
  expect(roomText([one, two], [one, two])).toBe('2 backups, 1.5 kB together. They stay until you delete them.')
})

test('S-267 a backup that lies there broken is told so; what is no backup’s name leads nowhere', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await owner.post(PAGE, { intent: 'make' })
  const [archive] = (await readBackups(shop.shop)).archives
  const path = join(shop.shop.backup.folder, archive!.name)
  const bytes = await readFile(path)
  await writeFile(path, bytes.subarray(0, bytes.length - 30))
  const checked = await owner.post(PAGE, { intent: 'check', name: archive!.name })
  expect([checked.status, await checked.text()]).toEqual([422, expect.stringContaining('is no whole archive: its end is missing')])
  await writeFile(join(shop.folder, 'outside.zip'), 'x')
  for (const name of ['', '../outside.zip', '..%2Foutside.zip', '../../etc/passwd', backupFileName(1, 'nightly'), 'x'.repeat(5000)]) {
    for (const intent of ['check', 'delete']) expect((await owner.post(PAGE, { intent, name, confirm: 'Yes' })).status, name).toBe(404)
    const file = await owner.post('/manage/backups/file.data', { name, password: OWNER.password })
    expect(file.status, name).toBe(404)
  }
  expect((await owner.post(PAGE, { intent: 'odd', name: archive!.name })).status).toBe(400)
  expect(await readFile(join(shop.folder, 'outside.zip'), 'utf8')).toBe('x')
})

test('S-266 S-270 S-271 a folder of backups that cannot be read is told where she looks, and so is that it can again', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const folder = shop.shop.backup.folder
  await writeFile(folder, 'a disk that is not there')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = await owner.page(PAGE)
  expect(page).toContain('The folder of the backups cannot be read.')
  expect(page).not.toContain('There is no backup yet.')
  expect(await owner.page('/manage/status/')).toContain('The folder of the backups cannot be read.')
  expect(await owner.page('/manage/')).toContain('Needs care now: Backup.')
  expect((await owner.post(PAGE, { intent: 'make' })).status).toBe(503)
  expect((await owner.post(PAGE, { intent: 'check', name: backupFileName(1, 'nightly') })).status).toBe(404)
  await rm(folder)
  expect((await owner.post(PAGE, { intent: 'make' })).status).toBe(200)
  // At once, not with the next look at the clock.
  expect(await owner.page('/manage/')).not.toContain('Needs care now')
})

test('S-266 whoever asks while a backup is being made gets that one, and the page says that it is under way', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  let go = () => {}
  const waiting = new Promise<void>((done) => (go = done))
  const slow = { ...shop.shop, files: { ...shop.files, list: () => waiting.then(() => shop.files.list()) } }
  const [first, second] = [backUp(slow, 'by-hand'), backUp(shop.shop, 'by-hand')]
  expect((await readBackups(shop.shop)).isUnderWay).toBe(true)
  expect(await owner.page(PAGE)).toContain('A backup is being made.')
  go()
  expect(await second).toEqual(await first)
  expect((await readBackups(shop.shop)).archives).toHaveLength(1)
  expect(await owner.page(PAGE)).not.toContain('A backup is being made.')
})

test('S-268 a download that cannot be written down is none, and leaves no file open', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await owner.post(PAGE, { intent: 'make' })
  const [archive] = (await readBackups(shop.shop)).archives
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await shop.db.schema.alterTable('audit').renameTo('gone').execute()
  const given = await owner.post('/manage/backups/file.data', { name: archive!.name, password: OWNER.password })
  expect(given.status).toBe(500)
  const open = await Promise.all(
    (await readdir('/proc/self/fd').catch(() => [])).map((one) => readlink(`/proc/self/fd/${one}`).catch(() => '')),
  )
  expect(open.filter((path) => path.endsWith('.zip'))).toEqual([])
})

test('S-266 the log says which archive was made', async () => {
  const lines: string[] = []
  const shop = await openTestShop({ log: openLog({ write: (line) => lines.push(line) }) })
  const made = await backUp(shop.shop, 'by-hand')
  expect(made.ok).toBe(true)
  expect(lines.map((line) => (JSON.parse(line) as { archive?: string }).archive)).toEqual([made.ok && made.name])
})
