/** The disk under the built shop fills up, turns read-only, fails to write or to flush, or another program holds the database: what the shop answers, and what is there afterwards. */
import { chmodSync, readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import type { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId15 } from '#app/platform/ids.ts'
import { hasCompiler, openBrokenDisk, type DiskState } from '../broken-disk.ts'
import { corners } from '../drawn-pictures.ts'
import { openBeside } from '../open-beside.ts'
import { newDataDir, openProcess } from '../open-process.ts'

const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }
const settings = (dataDir: string) => ({ DATA_DIR: dataDir, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password })

/** A browser: `form` is sent by script to `path.data`, or as a document where `path` says so. */
function openBrowser(origin: string) {
  let cookie = ''
  return async (path: string, form?: Record<string, string> | FormData) => {
    const body = form instanceof FormData || !form ? form : new URLSearchParams(form)
    const response = await fetch(origin + path, {
      method: body ? 'POST' : 'GET',
      body: body ?? null,
      headers: { origin, cookie },
      redirect: 'manual',
    })
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() }
  }
}

async function openShop(dataDir: string, env: Record<string, string> = {}) {
  const shop = openProcess({ ...settings(dataDir), ...env })
  const origin = await shop.opened
  const path = join(dataDir, 'shop.db')
  using(path, (db) =>
    db.exec(`insert into categories (id, title, color, position, "createdAt", "firstCreatedAt") values ('wall', 'Wall', '#ffffff', 0, 0, 0);
      insert into items (id, name, "categoryId", "priceCents", description, width, "soleType", size, "createdAt", "firstCreatedAt")
      values ('moon', 'Moon', 'wall', 3500, '', '', '', '', 0, 0)`),
  )
  const [owner, clara] = [openBrowser(origin), openBrowser(origin)]
  expect((await owner('/login', { intent: 'login', ...OWNER })).status).toBe(302)
  expect((await clara('/login', { intent: 'register', email: 'clara@mail.test', password: 'a-good-password' })).status).toBe(302)
  return { shop, path, owner, clara, visitor: openBrowser(origin) }
}

function using<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = openBeside(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const count = (path: string, query: string, ...values: string[]) =>
  using(path, (db) => (db.prepare(`select count(*) as n from ${query}`).get(...values) as { n: number }).n)

const withCompiler = hasCompiler
  ? test
  : () => console.log('no C compiler: a disk that breaks under the process is shown by test/full-disk.test.ts alone')

withCompiler(
  'S-262 a disk that is full, read-only, fails to write or to flush: pages go on, writes answer 503 and leave nothing half, and all goes through once it is well',
  { timeout: 600_000 },
  async () => {
    const dataDir = await newDataDir()
    const disk = openBrokenDisk(dataDir)
    const { shop, path, owner, clara, visitor } = await openShop(dataDir, disk.env)
    const photo = new Uint8Array(await corners(300, 200).jpeg().toBuffer())
    const upload = () => {
      const form = new FormData()
      form.set('categoryId', 'wall')
      form.set('file', new File([photo], 'photo.jpg', { type: 'image/jpeg' }))
      return owner('/manage/item-picture', form)
    }
    const files = () => readdirSync(join(dataDir, 'files'), { recursive: true }).filter((name) => /\.\w+$/.test(String(name)))
    // A first one, so that the folders are there and the work on it is done.
    expect((await upload()).status).toBe(200)
    await expect.poll(() => count(path, `pictures where state = 'finished'`)).toBe(1)
    let stored = files().length

    for (const state of ['full', 'readonly', 'io', 'fsync'] satisfies DiskState[]) {
      disk.set(state)
      const message = { intent: 'send', message: `While ${state}`, messageId: newId15() }
      const request = { itemId: 'moon', message: `The moon, ${state}`, messageId: newId15() }
      const before = count(path, 'messages')
      for (const page of ['/', '/gallery/', '/item/moon/', '/about/']) expect((await visitor(page)).status, `${page} ${state}`).toBe(200)
      const sent = await clara('/messages.data', message)
      const asked = await clara('/order-request.data', request)
      const named = await clara('/account/name.data', { name: 'Clara Whitfield' })
      const liked = await clara('/favourite.data', { itemId: 'moon', wanted: 'yes' })
      const begun = await visitor('/login.data', { intent: 'register', email: `new-${state}@mail.test`, password: 'a-good-password' })
      const shown = await upload()
      for (const answer of [sent, asked, named, liked, begun, shown])
        expect(answer, state).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
      expect(asked.text).toContain('An Error Occured while Sending Order Request')
      expect(shown.text).toContain('An Error Occured while Uploading Image...')
      // Without script the words come back with the page, and a form that has no place for them says what is the matter.
      expect(await clara('/messages', { ...message, back: '/' })).toMatchObject({
        status: 503,
        text: expect.stringContaining(`While ${state}`),
      })
      const plain = await clara('/favourite', { itemId: 'moon', wanted: 'yes', back: '/' })
      expect(plain).toMatchObject({ status: 503, text: expect.stringContaining('The shop could not keep that just now') })
      expect([sent.text + asked.text + plain.text].join()).not.toMatch(/SQLITE|EROFS|ENOSPC|EIO|A knot came loose/)
      expect([count(path, 'messages'), count(path, 'favourites'), files().length], state).toEqual([before, 0, stored])

      disk.set('well')
      expect((await clara('/messages.data', message)).status, `after ${state}`).toBe(200)
      expect((await clara('/order-request.data', request)).status).toBe(200)
      expect((await upload()).status).toBe(200)
      for (const { messageId } of [message, request]) expect(count(path, 'messages where id = ?', messageId)).toBe(1)
      await expect.poll(() => count(path, `pictures where state <> 'finished'`)).toBe(0)
      stored = files().length
    }

    // A picture counts once its name has reached the disk too.
    disk.set('folder')
    expect((await upload()).status).toBe(503)
    disk.set('well')

    shop.kill('SIGTERM')
    expect(await shop.ended).toEqual({ code: 0, signal: null })
    expect(using(path, (db) => db.prepare('pragma integrity_check').all())).toEqual([{ integrity_check: 'ok' }])
    expect(files().filter((name) => String(name).endsWith('.part'))).toEqual([])
  },
)

test('S-263 another program that holds the database stops nobody from reading; what is written waits and is kept once it lets go', async () => {
  const dataDir = await newDataDir()
  const { path, clara, visitor } = await openShop(dataDir)
  const other = openBeside(path)
  onTestFinished(() => other.close())
  other.exec('begin exclusive')
  const message = { intent: 'send', message: 'While it is held', messageId: newId15() }
  let isAnswered = false
  const sending = clara('/messages.data', message).finally(() => (isAnswered = true))
  for (const page of ['/', '/gallery/', '/item/moon/', '/health']) expect((await visitor(page)).status, page).toBe(200)
  expect(isAnswered).toBe(false)
  other.exec('commit')
  expect((await sending).status).toBe(200)
  expect(count(path, 'messages where id = ?', message.messageId)).toBe(1)
})

/** Read-only as root has it, by a file system of its own; as others have it, by rights. */
function makeReadOnly(folder: string): string {
  const isMounted = spawnSync('mount', ['--bind', folder, folder]).status === 0
  if (isMounted) {
    onTestFinished(() => void spawnSync('umount', ['-l', folder]))
    if (spawnSync('mount', ['-o', 'remount,ro,bind', folder]).status === 0) return 'EROFS'
  }
  for (const name of [...readdirSync(folder), '.']) chmodSync(join(folder, name), 0o500)
  onTestFinished(() => chmodSync(folder, 0o700))
  return 'EACCES'
}

test('S-263 a start on a read-only disk ends with one line that names the folder, and the next one on a well disk opens the shop', async () => {
  const dataDir = await newDataDir()
  const first = openProcess(settings(dataDir))
  await first.opened
  first.kill('SIGTERM')
  await first.ended
  const code = makeReadOnly(dataDir)
  const shop = openProcess(settings(dataDir))
  shop.opened.catch(() => {})
  expect((await shop.ended).code).toBe(1)
  const lines = shop.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^The shop cannot start: DATA_DIR .* cannot be (used|written) \\(${code}`))
})
